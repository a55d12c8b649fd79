import { expect, it } from "vitest";
import { aRawPod } from "../support/api-server.ts";
import { run } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";

const STEERING = "\u001b]0;owned\u0007\u202e\u009b2J";

/** A Deployment without pods; the message of its condition is hostile. */
const WORKLOAD = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "api", namespace: "prod" },
  spec: { selector: { matchLabels: { app: "api" } } },
  status: { conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: STEERING }] },
};

it("passes nothing on to stderr that a terminal obeys, and keeps the words", async () => {
  const file = writeDocument({ kind: "List", items: [aRawPod(), WORKLOAD] });
  const { stderr } = await run("explain", "deploy/api", "-f", file, "-n", "prod");
  expect(stderr).toContain("has no pods: ReplicaFailure, FailedCreate, ?]0;owned???2J.");
  expect(stderr).not.toMatch(/[^\n\P{Cc}]|\p{Bidi_Control}/u);
});
