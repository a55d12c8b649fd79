import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedServer } from "../bench/recorded-server.ts";
import type { PluginIndex } from "./plugin-index.ts";
import { StepError, type Transcript } from "./transcript.ts";

const NAME = "backoff";
const ANSWERS = /^\S+: \w+ is .+/m;

export interface Subject {
  readonly transcript: Transcript;
  readonly krewRoot: string;
  readonly server: RecordedServer;
  readonly index: PluginIndex;
  readonly version: string;
}

export async function publishOlder({ transcript, version, index }: Subject, manifest: string): Promise<void> {
  transcript.say("An index that has an older version");
  index.publish(NAME, manifest.replace(`version: v${version}`, "version: v0.0.1"));
  await transcript.run("krew", ["update"], /Updated the local copy of plugin index/);
}

export async function fromManifest(subject: Subject, manifest: string, archive: string): Promise<void> {
  const { transcript } = subject;
  transcript.say("From the manifest and the archive");
  const from = [`--manifest=${manifest}`, `--archive=${archive}`];
  await transcript.run("krew", ["install", ...from], /Installed plugin: backoff/);
  await useThroughKubectl(subject);
  await remove(subject);
}

export async function fromIndex(subject: Subject, manifest: string): Promise<void> {
  const { transcript, version, index } = subject;
  transcript.say("From the index, where there is a newer version after a while");
  await transcript.run("krew", ["install", NAME], /Installed plugin: backoff/);
  requireInstalled(subject, "v0.0.1");
  index.publish(NAME, manifest);
  await transcript.run("krew", ["upgrade", NAME], /Upgraded plugin: backoff/);
  requireInstalled(subject, `v${version}`);
  await useThroughKubectl(subject);
  await remove(subject);
}

/** krew's own check of a manifest also installs the archive of every platform. */
export async function validate(
  { transcript }: Subject,
  validator: string,
  folder: string,
  manifest: string,
): Promise<void> {
  transcript.say("What krew-index checks");
  const file = join(folder, `${NAME}.yaml`);
  writeFileSync(file, manifest);
  await transcript.run(validator, ["-manifest", file], /all 6 spec\.platforms installed fine/);
}

/** krew keeps each version in a folder of its own, and prints the version only in a terminal. */
function requireInstalled({ krewRoot }: Subject, version: string): void {
  const installed = readdirSync(join(krewRoot, "store", NAME));
  if (installed.join() !== version) throw new StepError(`krew has installed ${installed.join(", ")}, not ${version}.`);
}

async function useThroughKubectl({ transcript, server, version }: Subject): Promise<void> {
  await transcript.run("kubectl", ["plugin", "list"], /\/kubectl-backoff$/m);
  await transcript.run("kubectl", [NAME, "version"], new RegExp(`^kubectl-backoff v${version}$`, "m"));
  await transcript.run("kubectl", [NAME, "explain", server.pod, "--namespace", server.namespace], ANSWERS);
}

async function remove({ transcript, krewRoot }: Subject): Promise<void> {
  await transcript.run("krew", ["uninstall", NAME], /Uninstalled plugin: backoff/);
  const left = ["bin", "store", "receipts"].flatMap((folder) => filesIn(join(krewRoot, folder)));
  if (left.length > 0) throw new StepError(`krew uninstall has left ${left.join(", ")}.`);
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}
