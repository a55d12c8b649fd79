import type {
  ContainerExplanation,
  Explanation,
  LastExit,
  PodExplanation,
  Run,
  WarningEvent,
} from "../../explain/answer/explanation.ts";
import type { Probe } from "../../explain/observed/observation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { backoffKeyParts, type KeyChange, type KeyPart, keyChanges } from "../../kubelet/traits.ts";
import { type KubeletVersion, parseKubeletVersion } from "../../kubelet/version.ts";
import { columnLines, widthOf } from "../page/columns.ts";
import { formatElapsed, isAhead } from "../page/durations.ts";
import { labelled, type Page, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import type { Times } from "../page/times.ts";
import { byUrgency, roleSuffix } from "../page/trouble.ts";
import { shorten, wrap } from "../page/width.ts";
import { lineLegend } from "../timeline/line.ts";
import { MESSAGE_COLUMNS, notesInLines, podNotes } from "./notes.ts";
import { podBlock, renderPods } from "./table.ts";

/** The table, and below each pod all else that is known: node, plan, and per container image, exit, key and runs. */
export function renderWide(explanation: Explanation, options: RenderOptions): string {
  return renderPods(explanation, options, wideBlock);
}

function wideBlock(pod: PodExplanation, page: Page): string[] {
  const containers = byUrgency(pod.containers).flatMap((container) => {
    const title = wrap(container.name + roleSuffix(container), page.columns).map((line) =>
      paint(line, "title", page.color),
    );
    const runs = runLines(container, page);
    return ["", ...title, ...containerDetails(pod, container, page), ...(runs.length > 0 ? ["", ...runs] : [])];
  });
  const notes = notesInLines(podNotes(pod, page.times), page);
  const details = podDetails(pod, page);
  return [...podBlock(pod, page), ...(notes.length > 0 ? ["", ...notes] : []), "", ...details, ...containers];
}

/** As wide as that of the notes above it. */
const LABEL_WIDTH = 11;

/** What holds for all of a pod's containers: its node, the kubelet's next sync, and what resets the back-offs that it has. */
function podDetails(pod: PodExplanation, page: Page): string[] {
  const hasLine = pod.verdict === "crash-looping" && pod.containers.some(({ history }) => history.length > 1);
  const steps = pod.plan.map((step, index) => `${index + 1}. ${page.times.sentence(step)}`);
  return [
    ...(hasLine ? labelled("line", LABEL_WIDTH, lineLegend(page), page) : []),
    ...labelled("node", LABEL_WIDTH, nodeWords(pod), page),
    ...steps.flatMap((step, index) => labelled(index === 0 ? "next sync" : "", LABEL_WIDTH, step, page)),
    ...labelled("reset by", LABEL_WIDTH, resetWords(pod), page),
    ...(pod.events ?? []).flatMap((event, index) =>
      labelled(index === 0 ? "events" : "", LABEL_WIDTH, eventWords(event, page.nowMs), page),
    ),
  ].filter((line) => line !== "");
}

/** "Unhealthy (app, 3 times, 12s ago): Liveness probe failed: …". */
function eventWords({ regarding, reason, message, container, count, lastAtMs }: WarningEvent, nowMs: number): string {
  const remarks = [
    ...(regarding === "Node" ? ["node"] : container === null ? [] : [container]),
    ...(count > 1 ? [`${count} times`] : []),
    ...(lastAtMs === null ? [] : [isAhead(nowMs - lastAtMs) ? "just now" : `${formatElapsed(nowMs - lastAtMs)} ago`]),
  ];
  const told = remarks.length === 0 ? reason : `${reason} (${remarks.join(", ")})`;
  return message === "" ? told : `${told}: ${shorten(message, MESSAGE_COLUMNS)}`;
}

function nodeWords({ node, policy, containers }: PodExplanation): string {
  if (node === null) return containers.some(({ reported }) => reported !== null) ? "not in the input" : "none yet";
  return policy.kubeletVersion === null ? node : `${node} (kubelet ${policy.kubeletVersion})`;
}

function versionOf({ policy }: PodExplanation): KubeletVersion | null {
  return policy.kubeletVersion === null ? null : parseKubeletVersion(policy.kubeletVersion);
}

const CHANGES: Readonly<Record<KeyChange, string>> = {
  image: "a new image",
  resources: "changed resources",
  pod: "a new pod",
};

/** The back-off of a pull is kept by pod and image (`backOffKey`, pkg/kubelet/images/image_manager.go, v1.37.1). */
const PULL_CHANGES: readonly KeyChange[] = ["image", "pod"];

/** Empty where nothing backs off. */
function resetWords(pod: PodExplanation): string {
  const backsOff = pod.containers.some(({ delayMs, reset }) => (delayMs ?? 0) > 0 || reset !== null);
  const pulls = pod.containers.some(({ imagePull }) => imagePull !== null);
  if (!backsOff && !pulls) return "";
  const words = (backsOff ? keyChanges(versionOf(pod)) : PULL_CHANGES).map((change) => CHANGES[change]);
  const listed = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return `${listed}; a kubelet restart resets every container on the node`;
}

/** What is known of one container besides its cells in the table. */
function containerDetails(pod: PodExplanation, container: ContainerExplanation, page: Page): string[] {
  const rows: readonly (readonly [string, string])[] = [
    ["image", imageWords(container)],
    ...settingRows(container),
    ...restartRows(pod, container, page),
    ...(container.lastExit === null ? [] : exitRows(container.lastExit, page.times)),
    ["key", keyWords(pod, container)],
  ];
  return rows.flatMap(([label, text]) => labelled(label, LABEL_WIDTH, text, page));
}

function imageWords({ image, settings }: ContainerExplanation): string {
  const policy = settings?.imagePullPolicy ?? null;
  if (policy === null) return image;
  return `${image} (imagePullPolicy ${policy}${policy === "Always" ? ", asked for before each start" : ""})`;
}

function settingRows({ settings, isReady = null }: ContainerExplanation): [string, string][] {
  if (settings === undefined) return [];
  const { memoryLimit, livenessProbe, readinessProbe, startupProbe } = settings;
  const probes = { startup: startupProbe, liveness: livenessProbe, readiness: readinessProbe };
  return [
    ...(isReady === null ? [] : [["ready", isReady ? "yes" : "no"] satisfies [string, string]]),
    ["memory", memoryLimit === null ? "no limit" : `limit ${memoryLimit}`],
    ...Object.entries(probes).flatMap(([name, probe]): [string, string][] =>
      probe === null ? [] : [[name, probeWords(probe)]],
    ),
  ];
}

function probeWords({ initialDelayMs, periodMs, timeoutMs, failureThreshold, gracePeriodMs }: Probe): string {
  const first = initialDelayMs === 0 ? "" : `, from ${formatBriefDuration(initialDelayMs)} after the start`;
  const grace = gracePeriodMs === null ? "" : `, ${formatBriefDuration(gracePeriodMs)} of grace`;
  const failures = failureThreshold === 1 ? "1 failure" : `${failureThreshold} failures`;
  return `every ${formatBriefDuration(periodMs)}${first}, timeout ${formatBriefDuration(timeoutMs)}, fails after ${failures} in a row${grace}`;
}

const HOUR_MS = 3_600_000;

/** How often it has restarted over its pod's life; nothing without restarts. */
function restartRows(
  { createdAtMs = null }: PodExplanation,
  { restartCount }: ContainerExplanation,
  { nowMs }: Page,
): [string, string][] {
  const ageMs = nowMs - (createdAtMs ?? nowMs);
  if (restartCount === 0 || ageMs <= 0) return [];
  const perHour = (restartCount * HOUR_MS) / ageMs;
  const pace =
    perHour < 1 ? `one every ${formatElapsed(ageMs / restartCount)}` : `${Number(perHour.toPrecision(2))} an hour`;
  return [["restarts", `${restartCount} in ${formatElapsed(ageMs)}, ${pace} on average`]];
}

function exitRows(exit: LastExit, times: Times): [string, string][] {
  const { startedAtMs, finishedAtMs, exitCode, signal, reason, message } = exit;
  const when = (atMs: number | null): string => (atMs === null ? "unknown" : times.instant(atMs));
  const facts = [`code ${exitCode}`, signal === null ? "no signal" : `signal ${signal}`];
  return [
    ["started", when(startedAtMs)],
    ["finished", when(finishedAtMs)],
    ["exit", [...facts, reason === null ? "no reason given" : `reason ${reason}`].join(", ")],
    ["message", message === null || message === "" ? "none" : message],
  ];
}

/** The parts in the order of the key; its resources are not among what was seen. */
function keyWords(pod: PodExplanation, { name, image }: ContainerExplanation): string {
  const words: Readonly<Record<KeyPart, string>> = {
    pod: `pod ${pod.name}`,
    namespace: `namespace ${pod.namespace}`,
    uid: `UID ${pod.uid ?? "unknown"}`,
    container: `container ${name}`,
    image: `image ${image}`,
    resources: "its resources",
    "spec-hash": "a hash of its spec",
  };
  const parts = backoffKeyParts(versionOf(pod)).map((part) => words[part]);
  return parts.join(", ");
}

/** Nobody reads more in a terminal. */
const MOST_RUNS = 20;

/** The labels' column of the notes, if the numbers of the runs are not longer. */
const LEAST_LABEL_WIDTH = 11;

const HEADINGS = ["RUN", "STARTED", "RAN", "EXIT", "WAITED", "BASIS"];
const UNKNOWN = "?";
const NOT_YET = "-";

/** A container's latest runs, oldest first, as a table or, on a page too narrow for it, in words; and how many are left out. */
function runLines(container: ContainerExplanation, page: Page): string[] {
  const { history } = container;
  const shown = history.slice(-MOST_RUNS).map((run) => cellsOf(run, run === history.at(-1), container, page));
  const more = history.length - shown.length;
  const earlier = more === 1 ? "1 earlier run" : `${more} earlier runs`;
  const leftOut = more > 0 ? wrap(`${earlier} not shown; see -o json.`, page.columns) : [];
  return shown.length === 0 ? [] : [...laidOut(shown, page), ...leftOut];
}

interface RunCells {
  readonly run: string;
  readonly started: string;
  readonly ran: string;
  readonly exit: string;
  readonly waited: string;
  readonly basis: string;
}

/** "-" where something has not come yet, "?" where it is unknown. */
function cellsOf(run: Run, isLast: boolean, { state }: ContainerExplanation, page: Page): RunCells {
  const { start, startedAtMs, finishedAtMs, exitCode, waitedMs, basis } = run;
  const isUp = isLast && state === "running" && finishedAtMs === null;
  const endMs = isUp ? page.nowMs : finishedAtMs;
  const ranMs = startedAtMs === null || endMs === null ? null : endMs - startedAtMs;
  const ran = ranMs === null || isAhead(ranMs) ? UNKNOWN : formatElapsed(ranMs);
  return {
    run: `${start}`,
    started: startOf(run, page),
    ran: isUp && ran !== UNKNOWN ? `${ran} so far` : ran,
    exit: exitCode === null ? (isUp ? NOT_YET : UNKNOWN) : `${exitCode}`,
    waited: waitedMs === null ? (isLast ? NOT_YET : UNKNOWN) : formatBriefDuration(waitedMs),
    basis,
  };
}

function startOf({ startedAtMs, startedBetweenMs }: Run, { times }: Page): string {
  if (startedAtMs !== null) return times.instant(startedAtMs);
  return startedBetweenMs === null ? UNKNOWN : times.span(startedBetweenMs[0], startedBetweenMs[1]);
}

function laidOut(rows: readonly RunCells[], page: Page): string[] {
  const cells = rows.map((row) => Object.values(row).map((text: string) => ({ text })));
  const table = columnLines(HEADINGS, cells, page.color);
  if (widthOf(table) <= page.columns) return table;
  const labelWidth = Math.max(LEAST_LABEL_WIDTH, ...rows.map(({ run }) => labelOf(run).length + 2));
  return rows.flatMap((row) => labelled(labelOf(row.run), labelWidth, inWords(row), page));
}

function labelOf(run: string): string {
  return `run ${run}`;
}

function inWords({ started, ran, exit, waited, basis }: RunCells): string {
  const known = [`started ${started}`, `ran ${ran}`, `exit ${exit}`, `waited ${waited}`];
  return [...known.filter((words) => !words.endsWith(` ${UNKNOWN}`) && !words.endsWith(` ${NOT_YET}`)), basis].join(
    ", ",
  );
}
