import { describe, expect, it } from "vitest";
import type { ContainerSpec, PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, anEvent, aPod, aProbe, aStatus, running, S, T0_MS, terminated } from "../support/builders.ts";
import { at, explainApp, statusOf } from "../support/explain-pod.ts";
import { rowsOf } from "../support/text-table.ts";

interface Dump {
  readonly ageS: number;
  readonly ranS: number;
  readonly restarts: number;
  readonly exitCode: number;
  readonly spec: Partial<ContainerSpec>;
  readonly delay?: string;
  readonly failures?: number;
  readonly isUpAgain?: boolean;
  readonly pod?: Partial<PodSnapshot>;
  readonly more?: Partial<PodObservation>;
}

function dumped({ ageS, ranS, restarts, exitCode, spec, delay, failures = 0, isUpAgain, pod, more }: Dump) {
  const runs = [[ageS - ranS, ageS] as const, ...(isUpAgain ? [[ageS + 1] as const] : [])];
  const status = statusOf({ runs, restarts, exit: { exitCode }, ...(delay !== undefined && { delay }) });
  const endMs = at(ageS);
  const unhealthy = { reason: "Unhealthy", message: "Liveness probe failed: HTTP probe failed with statuscode: 500" };
  const times = { firstAtMs: T0_MS, lastAtMs: endMs - 1_000 * S, count: failures };
  return explainApp(
    { containers: [aContainer(spec)], statuses: [status], ...pod },
    { atMs: endMs + S, events: failures === 0 ? [] : [anEvent({ ...unhealthy, ...times })], ...more },
  );
}

const EVERY_10S = aProbe({ initialDelayMs: 10 * S });
const EVERY_MINUTE = { ...EVERY_10S, periodMs: 60 * S, failureThreshold: 12 };
const STARTUP = aProbe({ initialDelayMs: 1 * S, periodMs: 3 * S });
const DELETED = { deletionAtMs: T0_MS + 3_629 * S, deletionRequestedAtMs: T0_MS + 3_599 * S };

function neighbours(count: number, owner = (index: number) => `set-${index}`): PodSnapshot[] {
  return Array.from({ length: count }, (_, index) => {
    const endMs = T0_MS + 3_600 * S + (index - 1) * 2 * S;
    const lastState = terminated(T0_MS, endMs, { exitCode: 255 });
    const statuses = [aStatus({ state: running(endMs + 100 * S), lastState, restartCount: 1 })];
    return aPod({ name: `other-${index}`, owner: { kind: "ReplicaSet", name: owner(index) }, statuses });
  });
}

const PROBES: Readonly<Record<string, Partial<ContainerSpec>>> = {
  "10s": { livenessProbe: aProbe() },
  "10s after 10s": { livenessProbe: EVERY_10S },
  "10s after 1s": { livenessProbe: { ...EVERY_10S, initialDelayMs: S } },
  "12 of 60s": { livenessProbe: EVERY_MINUTE },
  startup: { livenessProbe: aProbe(), startupProbe: STARTUP },
};

const OTHERWISE: Readonly<Record<string, Partial<Dump>>> = {
  "the pod's deletion before it": { pod: DELETED },
  "the pod's deletion after it": { pod: DELETED },
  "the ends of other workloads' pods on its node": { more: { neighbours: neighbours(4) } },
  "the ends of its replicas only": {
    pod: { owner: { kind: "ReplicaSet", name: "one" } },
    more: { neighbours: neighbours(4, () => "one") },
  },
  "a static pod, whose restartCount is older": { pod: { isStatic: true, startedAtMs: T0_MS + 1_799 * S } },
  "the kubelet taking the pod again": { pod: { startedAtMs: T0_MS + 3_601 * S } },
};

const CAUSES = `
  age     ran   restarts  exit  probes         failures  since        cause                    by
  297900  39    1569      2     10s after 10s  4688      waits 5m0s   liveness-probe inferred  more restarts than its own exits leave time for, days old
  1620    34    13        0     10s            0         -            liveness-probe inferred  more restarts than its own exits leave time for
  17      11    1         0     startup        0         up again     startup-probe inferred   a run as long as the startup probe allows
  335     25    6         0     10s after 1s   0         waits 2m40s  liveness-probe inferred  a run as long as the probe allows
  309600  720   430       137   12 of 60s      5165      up again     liveness-probe inferred  SIGKILL after as long as the probe allows
  335     25    5         1     10s after 1s   0         waits 2m40s  exited inferred          exit code 1, which a probe kill seldom gives
  60      5     2         1     10s after 10s  0         -            exited observed          a probe that cannot have failed yet
  60      39    2         2     -              0         -            exited observed          no probe
  60      39    2         137   -              0         -            signal inferred          no probe, and exit code 137
  3600    600   2         2     -              0         -            signal inferred          the pod's deletion before it
  3590    600   2         2     -              0         -            exited observed          the pod's deletion after it
  3600    1800  1         255   -              0         up again     unknown inferred         the ends of other workloads' pods on its node
  3600    1800  1         255   -              0         up again     exited inferred          the ends of its replicas only
  3600    1800  1         255   -              0         up again     unknown inferred         the kubelet taking the pod again
  3600    1800  1248      255   10s after 10s  0         up again     exited inferred          a static pod, whose restartCount is older
`;
type Column = "age" | "ran" | "restarts" | "exit" | "probes" | "failures" | "since" | "cause" | "by";

const HOUR = { ageS: 3_600, ranS: 1_800, restarts: 1, exitCode: 255, spec: {}, isUpAgain: true };

describe("the cause of an exit in a dump", () => {
  it.each(rowsOf<Column>(CAUSES))("is $cause: $by", ({ by, cause, ...row }) => {
    const [ageS = 0, ranS = 0, restarts = 0, exitCode = 0] = [row.age, row.ran, row.restarts, row.exit].map(Number);
    const [, isUp, delay] = /^(up again)?(?:waits (\S+))?$/.exec(row.since) ?? [];
    const seen = {
      isUpAgain: isUp !== undefined,
      failures: Number(row.failures),
      ...(delay !== undefined && { delay }),
    };
    const dump = { ageS, ranS, restarts, exitCode, spec: PROBES[row.probes] ?? {}, ...seen, ...OTHERWISE[by] };
    const { lastExit } = dumped(dump);
    expect(`${lastExit?.cause} ${lastExit?.causeBasis}`).toBe(cause);
  });

  it("is qualified in the sentence if a probe kill is possible", () => {
    const spec = { livenessProbe: EVERY_10S };
    const { lastExit } = dumped({ ageS: 9_000, ranS: 900, restarts: 1, exitCode: 2, spec });
    expect(lastExit?.meaning).toBe("Exit code 2: as far as the status shows, the program stopped with an error.");
  });

  it("is named in the sentence: the deletion, and the node", () => {
    expect(dumped({ ...HOUR, isUpAgain: false, pod: DELETED }).lastExit?.meaning).toContain("the pod is being deleted");
    expect(dumped({ ...HOUR, more: { neighbours: neighbours(4) } }).lastExit?.meaning).toContain("its node");
  });

  it("decides the delay of the next exit: after a first probe kill there is no back-off", () => {
    const probes = { livenessProbe: aProbe(), startupProbe: STARTUP };
    const first = { ageS: 17, ranS: 11, restarts: 1, exitCode: 0, isUpAgain: true };
    expect(dumped({ ...first, spec: probes }).delayMs).toBe(0);
    expect(dumped({ ...first, spec: {} }).delayMs).toBe(10 * S);
  });
});
