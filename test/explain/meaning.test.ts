import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import type {
  ContainerSpec,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aProbe, aStatus, S, T0_MS, terminated } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const END_MS = T0_MS + 42 * S;
const HTTP = aProbe({ request: "GET :8080/healthz" });

interface Situation {
  readonly exit: Partial<TerminatedState>;
  readonly spec?: Partial<ContainerSpec>;
  readonly pod?: Partial<PodSnapshot>;
  readonly seen?: Partial<PodObservation>;
}

function meaningOf({ exit, spec = {}, pod = {}, seen = {} }: Situation): string | undefined {
  const state = terminated(T0_MS, END_MS, exit);
  const own = { containers: [aContainer(spec)], statuses: [aStatus({ state, restartCount: 3 })] };
  const { lastExit } = explainApp({ ...own, ...pod }, { atMs: END_MS + S, ...seen });
  return lastExit === null ? undefined : textInUtc(lastExit.meaning);
}

function kill(probe: "liveness" | "startup", overrides = {}) {
  const message = `Container app failed ${probe} probe, will be restarted`;
  return anEvent({ type: "Normal", reason: "Killing", message, firstAtMs: END_MS - 30 * S, ...overrides });
}

function unhealthy(message: string, overrides = {}) {
  return anEvent({ reason: "Unhealthy", message, firstAtMs: END_MS - 35 * S, ...overrides });
}

describe("the meaning of an exit", () => {
  it.each<Situation & { says: string }>([
    { exit: { exitCode: 1 }, says: "Exit code 1: the program stopped with an error." },
    {
      exit: { exitCode: 0, reason: "Completed" },
      says: "Exit code 0: it finished successfully. restartPolicy Always restarts it anyway; a program that is meant to end belongs in a Job.",
    },
    {
      exit: { exitCode: 0, reason: "Completed", startedAtMs: END_MS - 86_400 * S },
      says: "Exit code 0: it finished successfully.",
    },
    {
      exit: { exitCode: 0, reason: "Completed" },
      pod: { isStatic: true },
      says: "Exit code 0: it finished successfully.",
    },
    {
      exit: { exitCode: 0, reason: "Completed" },
      pod: { deletionAtMs: END_MS + 3_600 * S, gracePeriodMs: 30 * S },
      says: "Exit code 0: it finished successfully.",
    },
    {
      exit: { exitCode: 0, reason: "Completed" },
      pod: { restartPolicy: "OnFailure" },
      says: "Exit code 0: it finished successfully.",
    },
    {
      exit: { exitCode: 0, reason: null, startedAtMs: null, finishedAtMs: null },
      says: "How it ended is not recorded (no reason, no times).",
    },
    {
      exit: { exitCode: 137, reason: "OOMKilled", finishedAtMs: null },
      spec: { memoryLimit: "64Mi" },
      says: "OOMKilled (exit code 137): it exceeded its 64Mi memory limit.",
    },
    {
      exit: { exitCode: 126 },
      says: "Exit code 126: usually a command that cannot be executed (permission, or not a program for this platform).",
    },
    {
      exit: { exitCode: 127 },
      spec: { command: "/bin/sh -c ./strat.sh" },
      says: 'Exit code 127: usually a command that was not found; check command, args, PATH and the script\'s #! line. It runs "/bin/sh -c ./strat.sh".',
    },
    { exit: { exitCode: 128 }, says: "Exit code 128: the program stopped with an error." },
    {
      exit: { exitCode: 137 },
      says: "Exit code 137: killed with SIGKILL, by a process on the node or in the container; Kubernetes does not record which.",
    },
    {
      exit: { exitCode: 139 },
      says: "Exit code 139: segmentation fault (SIGSEGV), usually a bug in native code or a mismatched library.",
    },
    { exit: { exitCode: 129 }, says: "Exit code 129: ended by signal 1 (SIGHUP)." },
    { exit: { exitCode: 193 }, says: "Exit code 193: the program stopped with an error." },
    {
      exit: { exitCode: 255 },
      says: "Exit code 255: usually exit(-1), a fatal error of a Go program (klog.Fatal), or a restart of the node or its container runtime.",
    },
    {
      exit: { exitCode: 255, startedAtMs: END_MS },
      seen: { node: aNode({ architecture: "arm64" }) },
      says: 'Exit code 255: usually exit(-1), a fatal error of a Go program (klog.Fatal), or "exec format error": an image for another architecture (this node is arm64).',
    },
    {
      exit: { exitCode: 255, reason: "Unknown" },
      says: "Exit code 255, reason Unknown: the container runtime lost the container, usually because it or its node restarted. How the container ended is not recorded.",
    },
    {
      exit: { exitCode: -1073741510 },
      says: "Exit code -1073741510 (0xC000013A, STATUS_CONTROL_C_EXIT): it was stopped by Ctrl+C or a shutdown.",
    },
    { exit: { exitCode: -1073740286 }, says: "Exit code -1073740286 (0xC0000602): Windows ended it with this error." },
    { exit: { exitCode: -1 }, says: "Exit code -1: the program stopped with an error." },
    {
      exit: { exitCode: 137, reason: "ContainerStatusUnknown", startedAtMs: null, finishedAtMs: null },
      says: "How it ended is not recorded: the runtime no longer knew the container, and the kubelet made up the exit code 137.",
    },
    {
      exit: {
        ...{ exitCode: 128, reason: "StartError" },
        message:
          'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "/no/such": stat /no/such: no such file or directory: unknown',
      },
      says: 'The container runtime could not start it (exit code 128): exec: "/no/such": stat /no/such: no such file or directory; your program never ran.',
    },
  ])("of code $exit.exitCode: $says", ({ says, ...situation }) => {
    expect(meaningOf(situation)).toBe(says);
  });

  it.each<Situation & { why: string; says: string }>([
    {
      why: "the container's own limit",
      exit: {},
      spec: { memoryLimit: "24Mi" },
      says: "OOMKilled (exit code 137): it exceeded its 24Mi memory limit after 42s.",
    },
    {
      why: "the pod's limit",
      exit: {},
      pod: { memoryLimit: "1Gi" },
      says: "OOMKilled (exit code 137): the pod exceeded its 1Gi memory limit after 42s.",
    },
    {
      why: "a spec without the container, so the limit is unknown",
      exit: {},
      spec: { isFromStatus: true as const },
      says: "OOMKilled (exit code 137): it was out of memory after 42s.",
    },
    {
      why: "a container without a limit",
      exit: { startedAtMs: null },
      says: "OOMKilled (exit code 137): the container has no memory limit, so the node ran out of memory.",
    },
    {
      why: "the node's event SystemOOM, whatever the limit",
      exit: {},
      spec: { memoryLimit: "24Mi" },
      seen: { nodeEvents: [anEvent({ reason: "SystemOOM", container: null, firstAtMs: END_MS - 2 * S })] },
      says: "OOMKilled (exit code 137): the node ran out of memory after 42s.",
    },
    {
      why: "a SystemOOM event of an hour before does not count",
      exit: {},
      spec: { memoryLimit: "24Mi" },
      seen: { nodeEvents: [anEvent({ reason: "SystemOOM", container: null, firstAtMs: END_MS - 3_600 * S })] },
      says: "OOMKilled (exit code 137): it exceeded its 24Mi memory limit after 42s.",
    },
  ])("of an OOM kill: $why", ({ why: _, says, exit, ...situation }) => {
    expect(meaningOf({ ...situation, exit: { exitCode: 137, reason: "OOMKilled", ...exit } })).toBe(says);
  });

  const KILLED = "The kubelet killed it: its liveness probe (GET :8080/healthz) failed 3 times in a row, 10s apart";
  const IGNORED = "It did not stop within its grace period of 30s, so SIGKILL followed (exit code 137).";

  it.each<Situation & { why: string; events: PodObservation["events"]; says: string }>([
    {
      why: "the probe's request and answer, and the grace period",
      exit: { exitCode: 137 },
      spec: { livenessProbe: HTTP },
      events: [kill("liveness"), unhealthy("Liveness probe failed: HTTP probe failed with statuscode: 500")],
      says: `${KILLED} (last answer: HTTP 500). ${IGNORED}`,
    },
    {
      why: "the container stopped on SIGTERM",
      exit: { exitCode: 0 },
      spec: { livenessProbe: HTTP },
      events: [
        kill("liveness", { firstAtMs: END_MS - S }),
        unhealthy(
          'Liveness probe failed: Get "http://10.0.0.1:8080/healthz": dial tcp 10.0.0.1:8080: connect: connection refused',
        ),
      ],
      says: `${KILLED} (last answer: connection refused); exit code 0.`,
    },
    {
      why: "the probe got no answer in time, by combined events",
      exit: { exitCode: 137 },
      spec: { livenessProbe: HTTP },
      events: [
        kill("liveness"),
        unhealthy(
          '(combined from similar events): Liveness probe failed: Get "http://10.0.0.1:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        ),
      ],
      says: `${KILLED} (last answer: none within 1s). ${IGNORED}`,
    },
    {
      why: "an answer of an earlier run, and none of a readiness probe or of another container",
      exit: { exitCode: 137 },
      spec: { livenessProbe: HTTP },
      events: [
        kill("liveness"),
        unhealthy("Readiness probe failed: HTTP probe failed with statuscode: 503"),
        unhealthy("Liveness probe failed: HTTP probe failed with statuscode: 501", { container: "other" }),
        unhealthy("Liveness probe failed: HTTP probe failed with statuscode: 502", { firstAtMs: T0_MS - 60 * S }),
      ],
      says: `${KILLED} (answer in an earlier run: HTTP 502). ${IGNORED}`,
    },
    {
      why: "the output of a command, and the probe's own grace period",
      exit: { exitCode: 137 },
      spec: { startupProbe: aProbe({ failureThreshold: 1, gracePeriodMs: 5 * S, request: "cat /tmp/up" }) },
      events: [
        kill("startup", { firstAtMs: END_MS - 5 * S }),
        unhealthy("Startup probe failed: cat: can't open '/tmp/up': No such file or directory"),
      ],
      says: "The kubelet killed it: its startup probe (cat /tmp/up) failed (last answer: cat: can't open '/tmp/up': No such file or directory). It did not stop within its grace period of 5s, so SIGKILL followed (exit code 137).",
    },
    {
      why: "a kill by the probe without an event in this run is only probable",
      exit: { exitCode: 137 },
      spec: { livenessProbe: aProbe() },
      events: [kill("liveness", { firstAtMs: T0_MS - 60 * S, count: 30 })],
      says: `The kubelet probably killed it: its liveness probe failed 3 times in a row, 10s apart. ${IGNORED}`,
    },
    {
      why: "an exit with 137 before the probe can have failed is no probe kill",
      exit: { exitCode: 137, finishedAtMs: T0_MS + 5 * S },
      spec: { livenessProbe: HTTP },
      events: [],
      says: "Exit code 137: killed with SIGKILL, by a process on the node or in the container; Kubernetes does not record which.",
    },
  ])("of an exit with a probe: $why", ({ why: _, events, says, ...situation }) => {
    expect(meaningOf({ ...situation, seen: { events } })).toBe(says);
  });
});
