import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ContainerStatus } from "../../src/explain/observed/observation.ts";
import { observe } from "../support/input.ts";

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly at: string;
  readonly file: string;
}

const FOLDER = fileURLToPath(new URL("../../examples/", import.meta.url));
const INDEX = JSON.parse(readFileSync(`${FOLDER}index.json`, "utf8")) as Entry[];

/** The STATUS that `kubectl get pod` would show, and the restarts. */
const SHOWN: Readonly<Record<string, string>> = {
  "error-not-crashloopbackoff": "app Error 5",
  "crashes-on-1.34": "app CrashLoopBackOff 5",
  "liveness-probe": "app CrashLoopBackOff 6",
  "probe-loop-on-1.31": "app running 8",
  "out-of-memory": "app CrashLoopBackOff 6",
  "init-container": "setup CrashLoopBackOff 5, app PodInitializing 0",
  sidecar: "proxy CrashLoopBackOff 5, app running 0",
  "dropped-during-the-wait": "app Error 5",
  "exit-code-0": "app CrashLoopBackOff 5",
  recovering: "app running 4",
  "lower-maximum": "app Error 6",
  "restart-all-containers": "other running 5, trigger running 5",
  "image-pull": "app ImagePullBackOff 0",
  "config-missing": "app CreateContainerConfigError 0",
  healthy: "app running 0",
};

function shown({ name, state, restartCount }: ContainerStatus): string {
  const word = state === null || state.kind === "running" ? state?.kind : state.reason;
  return `${name} ${word} ${restartCount}`;
}

describe("examples/index.json", () => {
  it("lists every example there is, each with a title, and a good first one first", () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith(".gz"));
    expect(INDEX.map(({ file }) => file).sort()).toEqual(files.sort());
    expect(INDEX.map(({ name }) => name)).toEqual(Object.keys(SHOWN));
    expect(new Set(INDEX.map(({ title }) => title)).size).toBe(INDEX.length);
  });

  it.each(INDEX)("$name: everything about one pod, nothing from after its moment", async ({ name, at, file }) => {
    const atMs = Date.parse(at);
    const { observation, skipped } = await observe([`${FOLDER}${file}`], { localNowMs: atMs + 24 * 3_600_000 });
    const [observed, ...others] = observation.pods;
    expect(others).toEqual([]);
    expect(skipped).toEqual([]);
    expect(observed?.missing).toEqual([]);
    expect(observed?.kubeletConfig?.syncFrequencyMs).toBe(60_000);
    expect(observed?.node?.kubeletVersion).toMatch(/^v1\.3[147]\./);
    expect(observed?.pod.statuses.map(shown).join(", ")).toBe(SHOWN[name]);
    expect(observation.atBasis).toBe("newest-input");
    expect(observation.atMs).toBeLessThanOrEqual(atMs);
  });

  it.each(INDEX)("$name: names no person and no machine", ({ file }) => {
    const text = gunzipSync(readFileSync(`${FOLDER}${file}`)).toString("utf8");
    expect(text).not.toMatch(/\/(home|root|Users|work|tmp)\//);
    expect(text).not.toMatch(/@/);
    for (const [address] of text.matchAll(/\d+\.\d+\.\d+\.\d+/g)) expect(address).toMatch(/^10\./);
  });
});
