import { describe, expect, it } from "vitest";
import type { PodObservation, PodSnapshot } from "../../../src/explain/observed/observation.ts";
import { aNode, anEvent, aPod } from "../../support/builders.ts";
import { at, explainApp, runsIn, statusOf } from "../../support/explain-pod.ts";
import { rowsOf } from "../../support/text-table.ts";

function counted(name: string, reason: string, count: number, fromS: number, toS: number, message = "") {
  const type = reason === "BackOff" ? "Warning" : "Normal";
  return anEvent({ name, reason, type, message, count, firstAtMs: at(fromS), lastAtMs: at(toS) });
}

function kubeletStart(atS: number): Partial<PodObservation> {
  const message = "Starting kubelet.";
  return {
    nodeEvents: [anEvent({ reason: "Starting", type: "Normal", message, container: null, firstAtMs: at(atS) })],
  };
}

const CUT_SHORT: Partial<PodObservation> = {
  node: aNode({ kubeletVersion: "v1.31.4" }),
  kubeletConfig: null,
  events: [counted("web.1", "Started", 5, 1, 100), counted("web.2", "BackOff", 23, 5, 303)],
};
const PULLED = 'Successfully pulled image "web:1" in 4s (4m40.2s including waiting). Image size: 9 bytes.';
const NEW_IMAGE = 'Container image "registry.example/web:1" already present';

const SEEN: Readonly<Record<string, { seen?: Partial<PodObservation>; pod?: Partial<PodSnapshot> }>> = {
  "3 starts since 900": {
    seen: { ...kubeletStart(900), events: [counted("web.1", "Started", 3, 902, 995)] },
  },
  "kubelet start at 990": { seen: kubeletStart(990) },
  "kubelet start at 1001": { seen: kubeletStart(1_001) },
  "starts counted anew": {
    seen: { events: [counted("web.1", "Started", 9, 0, 800), counted("web.2", "Started", 1, 995, 995)] },
  },
  "another image": {
    seen: { events: [counted("web.1", "Pulled", 9, 0, 800), counted("web.2", "Pulled", 1, 994, 994, NEW_IMAGE)] },
  },
  "a pull of 4m40s": { seen: { events: [counted("web.1", "Pulled", 1, 994, 994, PULLED)] } },
  "v1.34": { seen: { node: aNode({ kubeletVersion: "v1.34.4" }), kubeletConfig: null } },
  "v1.31": { seen: CUT_SHORT },
  "v1.31, generation 2": { seen: CUT_SHORT, pod: { generation: 2 } },
  "BackOff at 86340": { seen: { events: [counted("web.1", "BackOff", 200, 82_740, 86_340)] } },
  "BackOff at 86401": { seen: { events: [counted("web.1", "BackOff", 1, 86_401, 86_401)] } },
  "maximum 60s": {
    seen: { kubeletConfig: { maxContainerRestartPeriodMs: 60_000, featureGates: {}, syncFrequencyMs: 60_000 } },
  },
  "maximum 12.5s": {
    seen: { kubeletConfig: { maxContainerRestartPeriodMs: 12_500, featureGates: {}, syncFrequencyMs: 60_000 } },
  },
};

/**
 * `runs` is in seconds after the pod's creation. `delay` is what is concluded a second after the last time in `runs`.
 * "or other" means that another delay is possible, too.
 */
const DELAYS = `
  runs                 restarts  also seen              delay         rules                                                        why
  0-5                  0         -                      0             first-run-has-no-entry                                       the first exit finds no entry
  gap 0                1         -                      10            first-run-has-no-entry, gap-tells-the-delay                  the first restart was immediate, so the second waits
  gap 13               2         -                      20            gap-tells-the-delay                                          a gap of 13 s was a wait of 10 s
  gap 25               3         -                      40            gap-tells-the-delay                                          a gap of 25 s was a wait of 20 s
  gap 19               2         v1.34                  20            gap-tells-the-delay                                          no start is dated before the end of its wait, not even by a second
  gap 39               4         -                      40 or other   earlier-reset, gap-tells-the-delay                           a slow start after a wait of 20 s, not an early one after 40 s
  gap 170              6         -                      300           gap-tells-the-delay                                          a wait of 2m40s doubles to the maximum
  gap 310              12        -                      300           gap-tells-the-delay                                          the maximum holds
  gap 65               12        maximum 60s            60            gap-tells-the-delay                                          a lower maximum of the node holds, too
  gap 12               45        maximum 12.5s          12.5          gap-tells-the-delay                                          a wait of 12.5 s can look as short as 12 s, because instants are truncated
  gap 11               45        maximum 12.5s          12.5          earlier-reset, gap-tells-the-delay                           a wait of 12.5 s does not look as short as 11 s, so it was one of 10 s
  gap 1                9         -                      10            earlier-reset, gap-tells-the-delay                           an immediate restart after many: an earlier reset
  gap 44               9         -                      80            earlier-reset, gap-tells-the-delay                           a wait of 40 s after many restarts: an earlier reset
  gap 6                12        -                      10            earlier-reset, gap-tells-the-delay                           no delay of the node's curve is that short
  0-5 5-10 13-18       2         watched                10            gap-fits-no-delay                                            in a pod that was watched from its creation nothing else explains it
  100-105              4         -                      80            restart-count-names-the-step                                 in a young pod restartCount alone gives the delay
  0-5                  9         message 1m20s          80            message-names-the-delay                                      the kubelet's message counts, whatever restartCount is
  100-101 182-722      5         -                      160           gap-tells-the-delay                                          restartCount and gap agree, however unlike the runs were
  100-101 182-722      12        -                      160           earlier-reset, gap-tells-the-delay                           restartCount is higher than the gap explains
  gap 600              12        a pull of 4m40s        300           gap-tells-the-delay                                          the kubelet pulled the image after it had renewed the entry
  gap 600              12        -                      10            gap-tells-the-delay                                          without a known pull, the entry was too old at the start
  100-101 31700-       9         -                      10            gap-exceeds-all-delays                                       longer than any delay: the node or its kubelet was down
  3000-3350 3602-3607  12        -                      10            restart-count-names-the-step, entry-dropped-during-the-wait  the entry was 600 s old in the middle of the wait of 5m
  gap 60               12        kubelet start at 990   10            kubelet-restart                                              a kubelet that restarts forgets
  gap 310              12        kubelet start at 1001  0             kubelet-restart                                              a kubelet that restarts after the exit forgets, too
  gap 60               12        starts counted anew    10            events-anew                                                  a kubelet that restarts counts its events anew
  995-1000             12        3 starts since 900     40            starts-since-the-reset                                       the starts since the reset count, not restartCount
  gap 60               12        another image          10            image-change                                                 another image has another entry
  gap 60               12        255, reason Unknown    0             node-stop                                                    the node or its runtime stopped, by the record
  364-366 420-422      7         v1.31, generation 2    10            spec-change-fits-the-gap                                     a wait of 5m ended early: a change of the spec
  364-366 420-422      7         v1.31                  80 or other   earlier-reset, gap-tells-the-delay                           the spec has not changed since the creation, so the wait did not end early
  0-5                  1e9       -                      300 or other  restart-count-names-the-step                                 an absurd restartCount
  2873-2900            13        -                      300           restart-count-names-the-step                                 13 restarts in 48 minutes are one series
  86373-86400          13        -                      10 or other   earlier-reset                                                13 restarts in a day may be spread over it
  86373-86400          13        BackOff at 86340       300 or other  restart-count-names-the-step                                 a BackOff event before the last run shows that it waited
  86373-86400          13        BackOff at 86401       10 or other   earlier-reset                                                a BackOff event after the last run does not show that
  10022400-            257       -                      10 or other   earlier-reset                                                257 restarts in 116 days are not at the maximum
  86373-86400 86401-   14        -                      10            earlier-reset, gap-tells-the-delay                           in an old pod the last gap decides: no wait
  86373-86400 86412-   14        -                      20            earlier-reset, gap-tells-the-delay                           in an old pod the last gap decides: a wait of 10 s
  86373-86400 86710-   14        -                      300           gap-tells-the-delay                                          in an old pod the last gap decides: a wait of 5m
`;

type Column = "runs" | "restarts" | "also seen" | "delay" | "rules" | "why";

const RECORDS = ["status-records", "restart-count"];
const DOUBT = "likeliest-of-several";

function replayed({ "also seen": also, ...row }: Record<Column, string>) {
  const runs = runsIn(row.runs);
  const delay = /^message (\S+)$/.exec(also)?.[1];
  const exit = also === "255, reason Unknown" ? { exitCode: 255, reason: "Unknown" } : {};
  const restarts = Number(row.restarts);
  const status = statusOf({ runs, restarts, exit, ...(delay !== undefined && { delay }) });
  const older = statusOf({ runs: runs.slice(0, -1), restarts: restarts - 1, exit });
  const earlier = also === "watched" ? [aPod({ statuses: [older] })] : [];
  const { seen, pod } = SEEN[also] ?? {};
  const atMs = at(1 + (runs.at(-1)?.at(-1) ?? 0));
  const { delayMs, evidence } = explainApp({ statuses: [status], ...pod }, { atMs, earlier, ...seen });
  const rules = evidence.map(({ rule }) => rule).filter((rule) => !RECORDS.includes(rule));
  const orOther = rules.includes(DOUBT) ? " or other" : "";
  return { delay: `${(delayMs ?? 0) / 1_000}${orOther}`, rules: rules.filter((rule) => rule !== DOUBT).join(", ") };
}

describe("the delay that the replay concludes", () => {
  it.each(rowsOf<Column>(DELAYS))("is $delay s after the runs $runs and $restarts restarts: $why", (row) => {
    expect(replayed(row)).toEqual({ delay: row.delay, rules: row.rules });
  });
});
