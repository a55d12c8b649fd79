import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { type RecordedServer, startRecordedServer } from "./bench/recorded-server.ts";
import { archiveName, ownTarget } from "./package/targets.ts";
import { PluginIndex } from "./test-krew/plugin-index.ts";
import { serveRelease } from "./test-krew/release-server.ts";
import { fromIndex, fromManifest, publishOlder, type Subject, validate } from "./test-krew/steps.ts";
import { StepError, Transcript } from "./test-krew/transcript.ts";

const USAGE =
  "Usage: npm run test:krew -- [--krew FILE] [--validator FILE] [--kubectl FILE] [--release FOLDER]\n" +
  "FILE: else krew, validate-krew-manifest and kubectl in PATH. FOLDER: else dist/release, as npm run package makes it.";

type Settings = Exclude<ReturnType<typeof settingsFrom>, string>;

/** Exit codes: 0 if all steps succeed or something needed is missing, 1 if a step fails, 2 for wrong usage. */
async function main(args: string[]): Promise<number> {
  const settings = settingsFrom(args);
  if (typeof settings === "string") {
    console.error(settings);
    return settings === USAGE ? 2 : 0;
  }
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-krew-"));
  const server = await startRecordedServer();
  try {
    await testIn(folder, settings, server);
    console.log("\nkrew installs, upgrades and removes it.");
    return 0;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    console.error(`\nError: ${error.message}`);
    return 1;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

function settingsFrom(args: string[]) {
  const flag = { type: "string" } as const;
  const options = { krew: flag, validator: flag, kubectl: flag, release: { ...flag, default: "dist/release" } };
  let given: ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];
  try {
    given = parseArgs({ args, options }).values;
  } catch {
    return USAGE;
  }
  const krew = given.krew ?? inPath("krew") ?? inPath("kubectl-krew");
  const kubectl = given.kubectl ?? inPath("kubectl");
  const release = resolve(given.release);
  if (krew === null) return "Skipped: krew is not in PATH; --krew says where it is.";
  if (kubectl === null) return "Skipped: kubectl is not in PATH; --kubectl says where it is.";
  if (!existsSync(join(release, "backoff.yaml")))
    return `Skipped: ${release} has no archives; npm run package makes them.`;
  return { krew, kubectl, release, validator: given.validator ?? inPath("validate-krew-manifest") };
}

function inPath(name: string): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

async function testIn(folder: string, settings: Settings, server: RecordedServer): Promise<void> {
  const subject = subjectIn(folder, settings, server);
  const downloads = await serveRelease(settings.release);
  try {
    const file = join(settings.release, "backoff.yaml");
    const local = downloads.withLocalAddresses(readFileSync(file, "utf8"));
    await publishOlder(subject, local);
    const target = ownTarget();
    if (target === undefined) throw new StepError("There is no archive for this machine.");
    await fromManifest(subject, file, join(settings.release, archiveName(target, manifest.version)));
    await fromIndex(subject, local);
    if (settings.validator === null) console.log("\nSkipped: validate-krew-manifest is not in PATH.");
    else await validate(subject, settings.validator, folder, local);
  } finally {
    downloads.close();
  }
}

function subjectIn(folder: string, { krew, kubectl }: Settings, server: RecordedServer): Subject {
  const [bin, home, krewRoot] = [join(folder, "bin"), join(folder, "home"), join(folder, "krew")] as const;
  for (const made of [bin, home]) mkdirSync(made);
  symlinkSync(resolve(kubectl), join(bin, "kubectl"));
  // This script runs `krew`; kubectl finds its plugin as `kubectl-krew`.
  for (const name of ["krew", "kubectl-krew"]) symlinkSync(resolve(krew), join(bin, name));
  symlinkSync(inPath("git") ?? "git", join(bin, "git"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfig(server.url));
  const index = new PluginIndex(join(folder, "index"));
  const krewsOwn = { KREW_ROOT: krewRoot, KREW_DEFAULT_INDEX_URI: index.folder, KREW_NO_UPGRADE_CHECK: "1" };
  const PATH = [join(krewRoot, "bin"), bin].join(delimiter);
  const transcript = new Transcript({ HOME: home, KUBECONFIG: kubeconfig, PATH, ...krewsOwn });
  return { transcript, krewRoot, server, index, version: manifest.version };
}

process.exitCode = await main(process.argv.slice(2));
