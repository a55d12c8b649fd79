import { describe, expect, it } from "vitest";
import type { PodSnapshot } from "../../src/explain/observed/observation.ts";
import {
  aContainer,
  anEvent,
  aPod,
  aProbe,
  aStatus,
  running,
  S,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";
import { explainPod } from "../support/explain-pod.ts";

const MESSAGE = "back-off 40s restarting failed container=app pod=web_default(uid)";
const EXIT = terminated(T0_MS, T0_MS + 5 * S);
const BACKING_OFF = aStatus({ state: waiting("CrashLoopBackOff", MESSAGE), lastState: EXIT, restartCount: 3 });

function planOf(pod: Partial<PodSnapshot>, atS = 20, events: ReturnType<typeof anEvent>[] = []) {
  return explainPod(pod, { atMs: T0_MS + atS * S, events }).plan;
}

describe("planOf()", () => {
  it.each<{ why: string; pod: Partial<PodSnapshot>; atS?: number; plan: string[] }>([
    {
      why: "a container in back-off keeps waiting",
      pod: { statuses: [BACKING_OFF] },
      plan: ["app: keep waiting (25s of 40s left)."],
    },
    {
      why: "a wait ends when the back-off expires",
      pod: { statuses: [aStatus({ state: terminated(T0_MS, T0_MS + 590 * S), restartCount: 5 })] },
      atS: 592,
      plan: ["app: keep waiting until the back-off expires (8s left)."],
    },
    {
      why: "a container whose wait is over is started with all steps",
      pod: { statuses: [BACKING_OFF], containers: [aContainer({ imagePullPolicy: "Always", hasPostStart: true })] },
      atS: 50,
      plan: ["app: start it (pull the image, create, start, run its postStart hook)."],
    },
    {
      why: "a container that runs needs nothing",
      pod: {},
      plan: ["Nothing to do."],
    },
    {
      why: "an app container waits for the init container that runs",
      pod: {
        containers: [aContainer({ name: "setup", type: "init" }), aContainer()],
        statuses: [
          aStatus({ name: "setup", state: running(T0_MS) }),
          aStatus({ state: waiting("PodInitializing"), containerID: null }),
        ],
      },
      plan: ["app: wait for the containers before it."],
    },
    {
      why: "a sandbox without an address is replaced",
      pod: { statuses: [BACKING_OFF], podIP: null },
      plan: [
        "Replace the pod's sandbox, which is not ready: stop everything and start again from the first init container.",
        "app: keep waiting (25s of 40s left).",
      ],
    },
    {
      why: "a step of the start that failed is tried again",
      pod: {
        phase: "Pending",
        statuses: [aStatus({ state: waiting("CreateContainerConfigError", "no"), containerID: null })],
      },
      plan: [
        "Create the pod's sandbox if needed.",
        "app: retry; this fails again (CreateContainerConfigError) until the cause is fixed.",
      ],
    },
    {
      why: "nothing is started in a pod that is being deleted",
      pod: { deletionAtMs: T0_MS },
      plan: ["Stop what still runs and remove the pod; nothing is started."],
    },
    {
      why: "nothing is planned for a pod without a node",
      pod: { nodeName: null, statuses: [], phase: "Pending" },
      plan: ["Nothing: the pod is not scheduled."],
    },
  ])("$why", ({ pod, atS, plan }) => {
    expect(planOf(pod, atS)).toEqual(plan);
  });

  it("waits for an instance that is being killed", () => {
    const message = "Container app failed liveness probe, will be restarted";
    const killing = anEvent({ reason: "Killing", type: "Normal", message, firstAtMs: T0_MS + 15 * S });
    const plan = planOf({ containers: [aContainer({ livenessProbe: aProbe() })] }, 20, [killing]);
    expect(plan).toEqual(["app: wait for it to stop, because its liveness probe failed (up to 25s left)."]);
  });

  it("starts all containers again by a RestartAllContainers rule", () => {
    const rule = { action: "RestartAllContainers", operator: "In", exitCodes: [88] } as const;
    const state = terminated(T0_MS, T0_MS + 5 * S, { exitCode: 88 });
    const pod = aPod({ containers: [aContainer({ restartPolicyRules: [rule] })], statuses: [aStatus({ state })] });
    expect(planOf(pod)).toEqual([
      "Remove all containers by the RestartAllContainers rule of app, and start them again from the first.",
    ]);
  });
});
