import { describe, expect, it } from "vitest";
import { BUGS, fixFor, isAffected, parseReleasedVersion } from "../../src/kubelet/bugs.ts";

describe("parseReleasedVersion()", () => {
  it.each([
    { text: "v1.35.2", version: { minor: 35, patch: 2 }, why: "a release" },
    { text: "1.35.2", version: { minor: 35, patch: 2 }, why: "without v" },
    { text: "v1.35.2-gke.100", version: { minor: 35, patch: 2 }, why: "a vendor's build" },
    { text: "v1.35.3+k3s1", version: { minor: 35, patch: 3 }, why: "a vendor's build" },
    { text: "v1.33.5-eks-113cf36", version: { minor: 33, patch: 5 }, why: "a vendor's build" },
    { text: "v1.36.0-rc.0", version: null, why: "a candidate may lack the fix" },
    { text: "v1.36.0-alpha.1.12+abc", version: null, why: "an alpha may lack the fix" },
    { text: "1.35", version: null, why: "the patch release is unknown" },
    { text: "v2.35.1", version: null, why: "another major version" },
    { text: "latest", version: null, why: "no version" },
  ])("reads $text: $why", ({ text, version }) => {
    expect(parseReleasedVersion(text)).toEqual(version);
  });
});

describe("isAffected() and fixFor()", () => {
  it.each([
    { bug: "sidecarProbeForgotten", version: "v1.34.9", fix: null, why: "the regression came with v1.35" },
    { bug: "sidecarProbeForgotten", version: "v1.35.0", fix: "v1.35.4", why: "the first release with the bug" },
    { bug: "sidecarProbeForgotten", version: "v1.35.3", fix: "v1.35.4", why: "the last release with the bug" },
    { bug: "sidecarProbeForgotten", version: "v1.35.4", fix: null, why: "the first release with the cherry-pick" },
    { bug: "sidecarProbeForgotten", version: "v1.36.0", fix: null, why: "fixed before the release" },
    { bug: "sidecarProbeAbandoned", version: "v1.31.14", fix: "v1.33.6", why: "never fixed in v1.31 or v1.32" },
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
    { bug: "sidecarProbeAbandoned", version: "v1.35.0", fix: null, why: "fixed before the release" },
    { bug: "binaryEnvRefused", version: "v1.33.7", fix: null, why: "the regression came with v1.34" },
    { bug: "binaryEnvRefused", version: "v1.34.8", fix: "v1.34.9", why: "the last release before the cherry-pick" },
    { bug: "binaryEnvRefused", version: "v1.36.1", fix: "v1.36.2", why: "the last release before the cherry-pick" },
    { bug: "binaryEnvRefused", version: "v1.37.0", fix: null, why: "fixed before the release" },
    { bug: "subPathMountStale", version: "v1.36.3", fix: "v1.37.0", why: "not cherry-picked to older releases" },
    { bug: "syncsLeakMemory", version: "v1.36.2", fix: "v1.36.3", why: "the last release before the cherry-pick" },
    { bug: "syncsLeakMemory", version: "v1.35.4", fix: null, why: "the regression came with v1.36" },
  ] as const)("$bug in $version: $why", ({ bug, version, fix }) => {
    const released = parseReleasedVersion(version);
    if (released === null) throw new Error("no release");
    expect(isAffected(BUGS[bug], released) ? fixFor(BUGS[bug], released) : null).toBe(fix);
  });
});
