import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import packageManifest from "../../package.json" with { type: "json" };
import { repositoryFile } from "../support/command.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";

const SUBMIT = repositoryFile("scripts/submit-to-krew-index.sh");
const VERSION = `v${packageManifest.version}`;
const BRANCH = `backoff-${VERSION}`;
const TEMPLATE = repositoryFile("plugin.yaml");

/**
 * Stands in for `gh`: repositories are folders, and the arguments of `gh pr create` are written to the file "proposed",
 * one on each line.
 */
const GH = `#!/usr/bin/env bash
set -euo pipefail
case "$1 $2" in
  "api user") echo octo ;;
  "auth setup-git") ;;
  "repo fork") [ -e "$HUB/octo/krew-index" ] || git clone --quiet --bare "$HUB/$3" "$HUB/octo/krew-index" ;;
  "repo sync") git --git-dir="$HUB/$3" fetch --quiet "$HUB/kubernetes-sigs/krew-index" +master:master ;;
  "repo clone") git clone "\${@:6}" "file://$HUB/$3" "$4" ;;
  "pr list") if [ -e "$HUB/proposed" ]; then echo "https://hub/pull/1"; fi ;;
  "pr create") printf '%s\\n' "\${@:3}" >"$HUB/proposed" ;;
  *) echo "gh $*?" >&2; exit 1 ;;
esac
`;

function git(folder: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "init.defaultBranch=master"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

function aHub() {
  const hub = temporaryFolder();
  const [index, fork, bin] = [join(hub, "kubernetes-sigs/krew-index"), join(hub, "octo/krew-index"), join(hub, "bin")];
  for (const folder of [join(index, "plugins"), join(hub, "octo"), bin]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bin, "gh"), GH, { mode: 0o755 });
  git(index, "init", "--quiet");
  const publish = (name: string, manifest: string): void => {
    writeFileSync(join(index, "plugins", name), manifest);
    git(index, "add", ".");
    git(index, "commit", "--quiet", "--message", name);
  };
  publish("other.yaml", "kind: Plugin\n");
  const env = { ...process.env, HUB: hub, PATH: [bin, process.env["PATH"]].join(delimiter) };
  const submit = (): string => execFileSync(SUBMIT, [TEMPLATE], { env, encoding: "utf8", stdio: "pipe" });
  const proposed = (): string[] => readFileSync(join(hub, "proposed"), "utf8").split("\n");
  return { index, fork, publish, submit, proposed };
}

describe.runIf(process.platform === "linux")("submit-to-krew-index.sh", { timeout: 60_000 }, () => {
  it("proposes from a fork to add plugins/backoff.yaml, and nothing else", () => {
    const { fork, submit, proposed } = aHub();
    submit();
    expect(git(fork, "show", `${BRANCH}:plugins/backoff.yaml`)).toBe(readFileSync(TEMPLATE, "utf8").trim());
    expect(git(fork, "diff", "--name-status", "master", BRANCH)).toBe("A\tplugins/backoff.yaml");
    expect(git(fork, "log", "--format=%an %s", `master..${BRANCH}`)).toBe(`octo Add backoff ${VERSION}`);
    const options = ["--repo", "kubernetes-sigs/krew-index", "--base", "master", "--head", `octo:${BRANCH}`];
    expect(proposed()).toEqual(expect.arrayContaining([...options, "--title", `Add backoff ${VERSION}`]));
  });

  it("proposes to update a manifest that exists, on top of the newest commit of the index", () => {
    const { index, fork, publish, submit, proposed } = aHub();
    git(fork.replace("/krew-index", ""), "clone", "--quiet", "--bare", index, fork);
    publish("backoff.yaml", "kind: Plugin\n");
    submit();
    expect(git(fork, "rev-parse", `${BRANCH}~1`)).toBe(git(index, "rev-parse", "HEAD"));
    expect(proposed()).toContain(`Update backoff to ${VERSION}`);
  });

  it("proposes nothing that is already proposed or in the index", () => {
    const { publish, submit } = aHub();
    submit();
    expect(submit()).toBe("It is proposed already: https://hub/pull/1\n");
    publish("backoff.yaml", readFileSync(TEMPLATE, "utf8"));
    expect(submit()).toBe(`krew-index has backoff ${VERSION} already.\n`);
  });
});
