import { describe, expect, it } from "vitest";
import type { NotReadyPod } from "../../src/explain/answer/backoff-list.ts";
import { listChoices } from "../../src/render/list/list-choices.ts";
import { emptyList } from "../../src/render/list/list-sentences.ts";
import { type ListLook, renderListTable } from "../../src/render/list/list-table.ts";
import { A_GROUPED_LOOK, aFailedJob, aNotReadyPod, LISTED_AT_MS } from "../support/list-items.ts";
import { FLEET } from "../support/listed-fleet.ts";

const ofDeployment = (name: string, overrides: Partial<NotReadyPod>): NotReadyPod =>
  aNotReadyPod({
    owner: { kind: "ReplicaSet", name: `${name}-5c7b9d8f6c` },
    workload: { kind: "Deployment", name },
    ...overrides,
  });

const NOT_READY: readonly NotReadyPod[] = [
  aNotReadyPod({ message: "replica lag 93s", cause: "readiness-probe" }),
  ...["b", "c"].map((letter, index) =>
    ofDeployment("gateway", {
      pod: `gateway-5c7b9d8f6c-b4c6${letter}`,
      sinceMs: LISTED_AT_MS - 600_000 * (index + 1),
      readiness: { ready: 1, all: 2 },
      container: { name: "proxy", isOnlyApp: false, restartCount: index, reported: "Running" },
    }),
  ),
  ofDeployment("onboarding", {
    pod: "onboarding-5c7b9d8f6c-b4c6d",
    cause: "init-container",
    container: { name: "wait-for-schema", isOnlyApp: false, restartCount: 0, reported: "Running" },
    waitsFor: "wait-for-schema",
  }),
  aNotReadyPod({
    pod: "gated",
    owner: null,
    workload: null,
    cause: "readiness-gate",
    container: null,
    message: "no condition yet",
  }),
  aNotReadyPod({ pod: "on-dark-node", owner: null, workload: null, cause: "node" }),
];

describe("the rows of the other pods that are not Ready", () => {
  const list = {
    ...FLEET,
    notReady: NOT_READY,
    allPods: [
      ...(FLEET.allPods ?? []),
      ...["gateway-5c7b9d8f6c-b4c6b", "gateway-5c7b9d8f6c-b4c6c", "onboarding-5c7b9d8f6c-b4c6d"].map((name) => ({
        name,
        isReady: false,
      })),
      { name: "gateway-5c7b9d8f6c-b4c6f", isReady: true },
    ],
  };
  const only = { ...list, items: [] };

  it.each<[string, Partial<ListLook>]>([
    ["80", { columns: 80 }],
    ["140", { columns: 140 }],
    ["wide", { isWide: true }],
  ])("equal their golden file: %s", async (name, look) => {
    const text = renderListTable(list, { ...A_GROUPED_LOOK, hasNamespaces: false, ...look });
    await expect(text).toMatchFileSnapshot(`../golden/list.not-ready.${name}.txt`);
  });

  it("name the init container that runs if the cause is another, such as the node", () => {
    const [, , , onboarding = aNotReadyPod()] = NOT_READY;
    const headings = ({ cause }: Pick<NotReadyPod, "cause">): string | undefined =>
      renderListTable({ ...only, notReady: [{ ...onboarding, cause }] }, A_GROUPED_LOOK).split("\n", 1)[0];
    expect(headings({ cause: "init-container" })).not.toContain("CONTAINER");
    expect(headings({ cause: "node" })).toContain("CONTAINER");
  });

  it("are the only rows if nothing is down", () => {
    const text = renderListTable(only, { ...A_GROUPED_LOOK, hasNamespaces: false, columns: 80 });
    expect(text).toMatch(/^NAME .*\ncore-0 .*\n(.+\n){4}\n6 pods are not Ready\.\n$/);
    expect(renderListTable(only, { ...A_GROUPED_LOOK, hasHeaders: false }).split("\n")).toHaveLength(6);
  });

  it("are a section of their own, before failed Jobs, if the list is by node", () => {
    const text = renderListTable({ ...list, failedJobs: [aFailedJob()] }, { ...A_GROUPED_LOOK, by: "node" });
    expect(text).toMatch(/\n\nnot Ready: 6 pods\nprod +core-0 .*\n(.+\n){4}\nfailed Jobs\n/);
  });

  it("are one row for each pod if the list is not grouped", () => {
    const text = renderListTable(only, { ...A_GROUPED_LOOK, isGrouped: false, hasHeaders: false });
    expect(text.match(/^prod +gateway-5c7b9d8f6c-b4c6[bc] +proxy +1\/2 +not Ready /gm)).toHaveLength(2);
  });

  it.each<[string, Partial<NotReadyPod>]>([
    ["startup probe has not succeeded yet", { cause: "startup-probe" }],
    ["startup probe failed: HTTP 503", { cause: "startup-probe", message: "HTTP 503" }],
    ["core has ended and does not restart: exit 3", { cause: "ended", message: "exit 3" }],
    ["core has not started yet", { cause: "starting" }],
    ["runs, but is not Ready", { cause: "unknown" }],
    ["unknown", { cause: "unknown", container: null }],
  ])("say what keeps a pod from being Ready: %s", (cause, pod) => {
    const text = renderListTable({ ...only, notReady: [aNotReadyPod(pod)] }, { ...A_GROUPED_LOOK, hasHeaders: false });
    expect(text.trimEnd().split(/ {3,}/).at(-1)).toBe(cause);
  });

  it("can be chosen in explain", () => {
    const choices = listChoices(only, { columns: 120, hasNamespaces: false });
    expect(choices.map(({ target }) => target)).toEqual([
      ...["pod/core-0", "deploy/gateway", "deploy/onboarding", "pod/gated", "pod/on-dark-node"],
    ]);
    expect(choices[0]?.line).toMatch(/^core-0 +not Ready {2}- {2}readiness probe failed: replica lag 93s$/);
  });

  it("are counted, and not listed, by emptyList()", () => {
    expect(emptyList(only, A_GROUPED_LOOK)).toBe(
      "No containers are crash-looping or failing to start. 6 pods are not Ready.",
    );
  });
});
