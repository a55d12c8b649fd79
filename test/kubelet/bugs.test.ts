import { describe, expect, it } from "vitest";
import { BUGS, fixFor, isAffected } from "../../src/kubelet/bugs.ts";
import { parseKubeletVersion } from "../../src/kubelet/versions.ts";

describe("isAffected() and fixFor()", () => {
  it.each([
    { bug: "sidecarProbeForgotten", version: "v1.34.9", fix: null, why: "the regression came with v1.35" },
    { bug: "sidecarProbeForgotten", version: "v1.35.0", fix: "v1.35.4", why: "the first release with the bug" },
    { bug: "sidecarProbeForgotten", version: "v1.35.3", fix: "v1.35.4", why: "the last release with the bug" },
    { bug: "sidecarProbeForgotten", version: "v1.35.4", fix: null, why: "the first release with the cherry-pick" },
    { bug: "sidecarProbeForgotten", version: "v1.36.0", fix: null, why: "the bug was fixed before the first release" },
    {
      bug: "sidecarProbeAbandoned",
      version: "v1.31.14",
      fix: "v1.33.6",
      why: "the bug was never fixed in v1.31 or v1.32",
    },
    {
      bug: "sidecarProbeAbandoned",
      version: "v1.33.5",
      fix: "v1.33.6",
      why: "the last release before the cherry-pick",
    },
    { bug: "sidecarProbeAbandoned", version: "v1.33.6", fix: null, why: "the first release with the cherry-pick" },
    {
      bug: "sidecarProbeAbandoned",
      version: "v1.34.1",
      fix: "v1.34.2",
      why: "the last release before the cherry-pick",
    },
    { bug: "sidecarProbeAbandoned", version: "v1.35.0", fix: null, why: "the bug was fixed before the first release" },
    { bug: "binaryEnvRefused", version: "v1.33.7", fix: null, why: "the regression came with v1.34" },
    { bug: "binaryEnvRefused", version: "v1.34.8", fix: "v1.34.9", why: "the last release before the cherry-pick" },
    { bug: "binaryEnvRefused", version: "v1.36.1", fix: "v1.36.2", why: "the last release before the cherry-pick" },
    { bug: "binaryEnvRefused", version: "v1.37.0", fix: null, why: "the bug was fixed before the first release" },
    {
      bug: "subPathMountStale",
      version: "v1.36.3",
      fix: "v1.37.0",
      why: "the fix was not cherry-picked to older releases",
    },
    { bug: "syncsLeakMemory", version: "v1.36.2", fix: "v1.36.3", why: "the last release before the cherry-pick" },
    { bug: "syncsLeakMemory", version: "v1.35.4", fix: null, why: "the regression came with v1.36" },
    { bug: "syncsLeakMemory", version: "v1.36.2-gke.100", fix: "v1.36.3", why: "a vendor's build has the bug, too" },
    { bug: "syncsLeakMemory", version: "v1.36.0-rc.0", fix: null, why: "a release candidate may lack the bug" },
    { bug: "syncsLeakMemory", version: "v1.36", fix: null, why: "the patch release is unknown" },
    { bug: "syncsLeakMemory", version: "v2.36.0", fix: null, why: "the major version is another" },
  ] as const)("say whether $version has the bug $bug: $why", ({ bug, version, fix }) => {
    const parsed = parseKubeletVersion(version);
    if (parsed === null) throw new Error("no version");
    expect(isAffected(BUGS[bug], parsed) ? fixFor(BUGS[bug], parsed) : null).toBe(fix);
  });
});
