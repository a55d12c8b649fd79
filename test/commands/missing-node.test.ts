import { describe, expect, it } from "vitest";
import { run, stdoutOf } from "../support/command.ts";
import { cluster } from "../support/listing.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { validDocument, validExplanation } from "../support/schema.ts";

/** No kubelet has taken the pod: its status has no containers. */
const NOT_TAKEN = aRawPod({ status: { phase: "Pending", conditions: [], startTime: null, containerStatuses: [] } });

const WORDS = "node node-a does not exist";

describe("a pod whose node does not exist", () => {
  it("has a page that says so, and no window", async () => {
    const { flags } = await cluster({ objects: [NOT_TAKEN] });
    const page = await stdoutOf(["explain", "web-0", ...flags]);
    expect(page).toContain(`prod/web-0: app can't start: ${WORDS}.\n`);
    expect(page).not.toContain("Gap");
    expect(page).toContain("list the nodes there are  kubectl get nodes");
    const { pods } = validExplanation(await stdoutOf(["explain", "web-0", "-o", "json", ...flags]));
    expect(pods).toMatchObject([
      {
        verdict: "start-failing",
        obstacle: { reason: "NodeNotFound", message: WORDS },
        containers: [{ state: "starting", nextRestart: null }],
        gaps: [{ code: "node-not-found" }, { code: "node-config-not-found" }],
      },
    ]);
  });

  it("has a row that says so", async () => {
    const { flags } = await cluster({ objects: [NOT_TAKEN] });
    const { stdout, stderr } = await run("list", ...flags);
    expect(stdout.split("\n")[1]?.replaceAll(/ {2,}/g, "  ")).toBe(
      `web-0  0/1  can't start  0  no such node  13:00  NodeNotFound: ${WORDS}`,
    );
    expect(stderr).toMatch(/^Node node-a does not exist\. No kubelet starts the pod's containers until/);
    const { stdout: json } = await run("list", "-o", "json", ...flags);
    expect(validDocument("backoff-list", json)).toMatchObject({
      items: [{ message: WORDS, nextRestart: null, isNodeReady: false }],
    });
  });

  it("has no window in a crash loop either", async () => {
    const { flags } = await cluster({ objects: [aRawPod()] });
    const { stdout } = await run("list", ...flags);
    expect(stdout.split("\n")[1]).toMatch(/^web-0 +0\/1 +backing off +5 +no such node /);
    expect((await stdoutOf(["explain", "web-0", ...flags])).replaceAll(/\s+/g, " ")).toContain(
      "Node node-a does not exist. No kubelet starts the pod's containers until a node of that name joins;",
    );
  });
});
