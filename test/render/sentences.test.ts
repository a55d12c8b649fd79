import { describe, expect, it } from "vitest";
import type { ContainerExplanation, PodExplanation } from "../../src/explain/answer/explanation.ts";
import { headline, summaryOf } from "../../src/render/page/answer.ts";
import { atClock, between, container, DOWN, exit, pod } from "../support/explanations.ts";
import { PAGE } from "../support/page.ts";

const RESET = { atMs: atClock("13:45:00"), how: "if-it-keeps-running" } as const;
const ERROR = exit(null, "13:39:00");
const LOOP = { verdict: "crash-looping" } as const;

describe("summaryOf()", () => {
  const ended = { ...exit("01:40:00", "13:40:00"), exitCode: 1 };

  it.each<{ why: string; it: PodExplanation; says: string }>([
    {
      why: "a container that runs after restarts",
      it: pod([container({ restartCount: 2, lastExit: ended, forecast: null })], { verdict: "running" }),
      says: "app is running after 2 restarts. Its last instance exited with code 1 after 12h.",
    },
    {
      why: "a container that has exited once",
      it: pod([container({ ...DOWN, state: "restarting", reported: "Error", lastExit: ended })], {
        verdict: "running",
      }),
      says: 'app has exited (kubectl shows "Error"). Its last instance exited with code 1 after 12h. Not enough data to predict the next restart.',
    },
    {
      why: "a pod that failed without a reason",
      it: pod([], { verdict: "failed", ending: { reason: "", message: "The node was drained" } }),
      says: "The pod has failed: The node was drained.",
    },
    {
      why: "a pod that has completed",
      it: pod([container({ state: "completed" })], { verdict: "completed" }),
      says: "The pod has completed.",
    },
  ])("says what happened and what comes next: $why", ({ it: explained, says }) => {
    expect(summaryOf(explained, PAGE)).toBe(says);
  });
});

describe("headline()", () => {
  it.each<{ why: string; containers: ContainerExplanation[]; more?: Partial<PodExplanation>; says: string }>([
    {
      why: "its only container has failed, and the pod's verdict is still running",
      containers: [container({ state: "failed", reported: "Error" })],
      says: ': app has failed (kubectl shows "Error").',
    },
    {
      why: "the containers of an evicted pod exited with 0",
      containers: [container({ state: "completed" })],
      more: {
        verdict: "completed",
        ending: { reason: "Evicted", message: 'Usage of "scratch" exceeds the limit "20Mi"' },
      },
      says: ' was evicted: Usage of "scratch" exceeds the limit "20Mi".',
    },
    {
      why: "a probe says that it is not ready",
      containers: [container({ isReady: false, restartCount: 1 })],
      says: ": app is running after one restart, but not ready.",
    },
    {
      why: "the container that loops is named, not its sibling",
      containers: [
        container({ name: "a", reset: RESET }),
        container({ name: "b", reset: RESET, isCrashLooping: true }),
      ],
      more: LOOP,
      says: ": b is running again; crash-looping until it has stayed up 10m (5m to go).",
    },
    {
      why: "finalizers keep a deleted pod",
      containers: [container({ state: "completed" })],
      more: { verdict: "terminating", deletion: { dueAtMs: PAGE.nowMs - 180_000, finalizers: ["example.com/hold"] } },
      says: " is being deleted; its containers will not restart. It stays until its finalizers are removed: example.com/hold; its grace period ended 3m ago.",
    },
    {
      why: "a node that is NotReady keeps a deleted pod",
      containers: [container()],
      more: {
        verdict: "terminating",
        deletion: { dueAtMs: PAGE.nowMs - 180_000, finalizers: [] },
        gaps: [{ code: "node-not-ready", message: "Node node-a is not ready." }],
      },
      says: " is being deleted; its containers will not restart. Its grace period ended 3m ago; node node-a is NotReady, so its kubelet has not stopped its containers.",
    },
    {
      why: "nothing removes a deleted pod of a node that does not exist",
      containers: [container()],
      more: {
        verdict: "terminating",
        deletion: { dueAtMs: PAGE.nowMs - 180_000, finalizers: [] },
        gaps: [{ code: "node-not-found", message: "Node node-a does not exist." }],
      },
      says: " is being deleted; its containers will not restart. Its grace period ended 3m ago; node node-a does not exist, so no kubelet has stopped its containers.",
    },
    {
      why: "another container is not ready",
      containers: [container({ restartCount: 1 }), container({ name: "nginx", isReady: false })],
      says: ": nginx is running, but not ready.",
    },
    {
      why: "another container has completed, as beside a service mesh's proxy in a Job",
      containers: [container({ name: "istio-proxy" }), container({ name: "pi", state: "completed" })],
      says: ": istio-proxy is running; pi has completed.",
    },
    {
      why: "the other containers have completed",
      containers: [
        container({ name: "istio-proxy", isReady: true }),
        container({ name: "init", type: "init", state: "completed" }),
        ...["a", "b"].map((name) => container({ name, state: "completed" })),
      ],
      says: ": istio-proxy is running; 2 other containers have completed.",
    },
    {
      why: "another container is not ready beside one that is down",
      containers: [container({ ...DOWN, state: "backing-off" }), container({ name: "nginx", isReady: false })],
      more: LOOP,
      says: ': app is in CrashLoopBackOff (kubectl shows "Error"); nginx is not ready.',
    },
    {
      why: "the kubelet has made up the record of the exit",
      containers: [
        container({ state: "failed", lastExit: exit(null, "13:39:00", { reason: "ContainerStatusUnknown" }) }),
      ],
      more: { verdict: "failed" },
      says: " has failed (app ended in a way that is not recorded); its containers will not restart.",
    },
    {
      why: "kubectl's column shows the first app container that is not running",
      containers: [container(), container({ ...DOWN, name: "b" }), container({ name: "c" })],
      more: LOOP,
      says: ': b is in CrashLoopBackOff (kubectl shows "Error").',
    },
    {
      why: "kubectl's column is about another container, which is first by name in the status",
      containers: [container({ ...DOWN, name: "web" }), container({ state: "failed", reported: "ContainerCannotRun" })],
      more: LOOP,
      says: ': web is in CrashLoopBackOff (its status says "Error"); app is failing too.',
    },
    {
      why: "kubectl's column shows the first app container by name, which is last in the spec",
      containers: [container({ state: "failed", reported: "ContainerCannotRun", name: "web" }), container({ ...DOWN })],
      more: LOOP,
      says: ': app is in CrashLoopBackOff (kubectl shows "Error"); web is failing too.',
    },
    {
      why: "kubectl's column shows a container that has failed rather than Completed",
      containers: [
        container({ state: "completed", reported: "Completed" }),
        container({
          ...DOWN,
          name: "b",
          reported: "OOMKilled",
          lastExit: exit(null, "13:39:00", { reason: "OOMKilled" }),
        }),
      ],
      more: LOOP,
      says: ': b is in CrashLoopBackOff (kubectl shows "OOMKilled").',
    },
    {
      why: "kubectl's column does not show a reason for waiting rather than Completed",
      containers: [
        container({ state: "completed", reported: "Completed" }),
        container({ ...DOWN, name: "b", state: "starting", reported: "ErrImageNeverPull", lastExit: ERROR }),
      ],
      more: { verdict: "crash-looping" },
      says: ': b is starting (its status says "ErrImageNeverPull").',
    },
    {
      why: "kubectl's column shows Completed beside a container that is not ready",
      containers: [container({ ...DOWN, reported: "Completed" }), container({ name: "b", isReady: false })],
      more: LOOP,
      says: ': app is in CrashLoopBackOff (kubectl shows "Completed"); b is not ready.',
    },
    {
      why: "kubectl's column shows NotReady beside a container that is ready",
      containers: [container({ ...DOWN, reported: "Completed" }), container({ name: "b", isReady: true })],
      more: LOOP,
      says: ': app is in CrashLoopBackOff (its status says "Completed").',
    },
    {
      why: "kubectl puts Init: before the reason of an init container",
      containers: [container({ ...DOWN, name: "setup", type: "init" })],
      more: LOOP,
      says: ': setup is in CrashLoopBackOff (kubectl shows "Init:Error").',
    },
    {
      why: "two other failing containers are counted",
      containers: ["a", "b", "c"].map((name) => container({ ...DOWN, name, reported: "CrashLoopBackOff" })),
      more: LOOP,
      says: ": a is in CrashLoopBackOff; 2 more containers are failing.",
    },
    {
      why: "one other failing container is named",
      containers: ["a", "b"].map((name) => container({ ...DOWN, name, reported: "CrashLoopBackOff" })),
      more: LOOP,
      says: ": a is in CrashLoopBackOff; b is failing too.",
    },
    {
      why: "containers that run are not failing, although they have restarted",
      containers: ["a", "b"].map((name) =>
        container({ name, restartCount: 3, reset: { atMs: atClock("13:45:00"), how: "if-it-keeps-running" } }),
      ),
      says: ": a is running after 3 restarts.",
    },
    {
      why: "a RestartAllContainers rule restarted the whole pod",
      containers: ["trigger", "other"].map((name) =>
        container({ name, restartCount: 5, lastExit: exit(null, "13:39:00", { cause: "restart-all" }) }),
      ),
      more: LOOP,
      says: ": trigger is up again after 5 restarts; a RestartAllContainers rule restarted the whole pod.",
    },
    {
      why: "one container has failed, and another one runs on",
      containers: [
        container({ name: "main", state: "failed", lastExit: exit("13:39:50", "13:39:55") }),
        container({ name: "proxy" }),
      ],
      more: { verdict: "failed" },
      says: ": main exited with code 1 after 5s and will not restart; proxy still runs.",
    },
    {
      why: "one exit is no crash loop",
      containers: [container({ ...DOWN, state: "restarting", nextRestart: between("13:40:00", "13:40:02") })],
      more: { verdict: "pending" },
      says: ': app has exited and is about to restart (kubectl shows "Error").',
    },
    {
      why: "an ordinary start",
      containers: [container({ state: "starting", reported: "ContainerCreating" })],
      more: { verdict: "pending" },
      says: ": app is starting.",
    },
    {
      why: "no container is known, and the pod is pending",
      containers: [],
      more: { verdict: "pending" },
      says: " has no running container yet.",
    },
    { why: "no container is known, and the pod runs", containers: [], says: " is running." },
  ])("says what holds for the pod: $why", ({ containers, more, says }) => {
    expect(headline(pod(containers, { name: "cart", ...more }), PAGE)).toBe(`shop/cart${says}`);
  });
});
