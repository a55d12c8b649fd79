import { describe, expect, it } from "vitest";
import { containerRows } from "../../src/render/list/list-rows.ts";
import { anItem } from "../support/list-items.ts";
import { FLEET } from "../support/listed-fleet.ts";

const NAME_OF_50 = "a-rather-long-release-name-a-rather-long-chart-api";

describe("containerRows()", () => {
  it.each([
    {
      ...{ kind: "Job", name: "load", why: "an Indexed Job adds the index" },
      ...{ failing: ["load-0-x2x4b", "load-11-x2x4c"], others: ["load-2-x2x4d", "load-x2x4d"], all: 3 },
    },
    {
      ...{ kind: "Job", name: "load", why: "another Job may be called load-2" },
      ...{ failing: ["load-x2x4b", "load-x2x4c"], others: ["load-2-x2x4d", "load-x2x4d"], all: 3 },
    },
    {
      ...{ kind: "CronJob", name: "load", why: "its Jobs may be Indexed Jobs" },
      failing: ["load-29384000-0-x2x4b", "load-29384060-1-x2x4c"],
      ...{ others: ["load-29384060-2-x2x4d", "load-29384060-x2x4d"], all: 3 },
    },
    {
      ...{ kind: "Deployment", name: NAME_OF_50, why: "the API server cuts the names of the ReplicaSets" },
      failing: [`${NAME_OF_50}-6d5b7c9x2x4b`, `${NAME_OF_50}-5c7b9d8x2x4c`],
      ...{ others: [`${NAME_OF_50}-6d5b7c9x2x4d`, `${NAME_OF_50}-frontenx2x4d`], all: 3 },
    },
    {
      ...{ kind: "CronJob", name: NAME_OF_50, why: "the API server cuts the names of the Jobs" },
      failing: [`${NAME_OF_50}-2938400x2x4b`, `${NAME_OF_50}-2938406x2x4c`],
      ...{ others: [`${NAME_OF_50}-2938406x2x4d`, `${NAME_OF_50}-frontenx2x4d`], all: 3 },
    },
    {
      ...{ kind: "Deployment", name: `${NAME_OF_50}-for-all`, why: "the API server cuts the workload's name" },
      ...{ failing: [`${NAME_OF_50}-for-allx2x4b`, `${NAME_OF_50}-for-allx2x4c`], others: [], all: null },
    },
    {
      ...{ kind: "Deployment", name: "load", why: "the failing pods have other names than a Deployment's pods" },
      ...{ failing: ["load-a", "load-b"], others: ["load-6d5b7c9f4d-x2x4b", "load-6d5b7c9f4d-x2x4c"], all: null },
    },
  ])("counts $all pods of $kind $name: $why", ({ kind, name, failing, others, all }) => {
    const items = failing.map((pod) => anItem({ pod, workload: { kind, name } }));
    const allPods = [...failing, ...others].map((pod) => ({ name: pod, isReady: false }));
    const [row] = containerRows({ ...FLEET, items, allPods }, true);
    expect(row).toMatchObject({ pods: 2, readiness: all && { ready: 0, all } });
  });
});
