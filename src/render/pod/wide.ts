import type { ContainerExplanation, Explanation, PodExplanation, Run } from "../../explain/answer/explanation.ts";
import { firstOf, joinedWords } from "../../explain/answer/prose.ts";
import type { Probe } from "../../explain/observed/observation.ts";
import { byUrgency } from "../../explain/triage.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { backoffKeyParts, type KeyChange, type KeyPart, keyChanges } from "../../kubelet/traits.ts";
import { type KubeletVersion, parseKubeletVersion } from "../../kubelet/versions.ts";
import { tableLines, tableWidth } from "../page/columns.ts";
import { roleSuffix } from "../page/container-words.ts";
import { formatElapsed, isAhead } from "../page/durations.ts";
import { newestRuns } from "../page/newest-runs.ts";
import { labelled, type Page, type RenderOptions, stacked } from "../page/page.ts";
import { counted, paint } from "../page/paint.ts";
import type { Times } from "../page/times.ts";
import { wrap } from "../page/width.ts";
import { eventLines } from "./event-lines.ts";
import type { AlikePods } from "./groups.ts";
import { notesInLines, podNotes } from "./notes.ts";
import { podBlock, renderPods } from "./table.ts";

export function renderWide(explanation: Explanation, options: RenderOptions): string {
  return renderPods(explanation, options, wideBlock);
}

function wideBlock(alike: AlikePods, page: Page): string[] {
  const { pod } = alike;
  const containers = byUrgency(pod.containers).flatMap((container) => {
    const title = wrap(container.name + roleSuffix(container), page.columns);
    const head = title.map((line) => paint(line, "title", page.color));
    return [[...head, ...containerDetails(pod, container, page)], runLines(container, page)];
  });
  const notes = notesInLines(podNotes(pod), page);
  return stacked([podBlock(alike, page), notes, podDetails(pod, page), ...containers]);
}

function podDetails(pod: PodExplanation, page: Page): string[] {
  const steps = pod.plan.map((step, index) => `${index + 1}. ${step}`);
  const rows = [
    ["node", [nodeWords(pod)]],
    ["next sync", steps],
    ["reset by", resetWords(pod)],
    ["events", eventLines(pod.events ?? [], page.nowMs)],
  ] as const;
  return rows.flatMap(([label, texts]) =>
    texts.flatMap((text, index) => labelled(index === 0 ? label : "", text, page)),
  );
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

/**
 * Mirrors `backOffKey` of an image pull: the pod and the image (kubernetes v1.37.1,
 * pkg/kubelet/images/image_manager.go).
 */
const PULL_CHANGES: readonly KeyChange[] = ["image", "pod"];

function resetWords(pod: PodExplanation): string[] {
  const backsOff = pod.containers.some(({ delayMs, reset }) => (delayMs ?? 0) > 0 || reset !== null);
  const pulls = pod.containers.some(({ imagePull }) => imagePull !== null);
  if (!backsOff && !pulls) return [];
  const words = (backsOff ? keyChanges(versionOf(pod)) : PULL_CHANGES).map((change) => CHANGES[change]);
  return [`${joinedWords(words, "or")}; a kubelet restart resets every container on the node`];
}

type Details = Readonly<Record<string, string | null>>;

function containerDetails(pod: PodExplanation, container: ContainerExplanation, page: Page): string[] {
  const { image, settings } = container;
  const policy = settings?.imagePullPolicy ?? null;
  const always = policy === "Always" ? ", asked for before each start" : "";
  const details: Details = {
    image: policy === null ? image : `${image} (imagePullPolicy ${policy}${always})`,
    ...settingDetails(container),
    restarts: restartsWords(pod, container, page),
    ...exitDetails(container, page.times),
    key: keyWords(pod, container),
  };
  return Object.entries(details).flatMap(([label, text]) => (text === null ? [] : labelled(label, text, page)));
}

function settingDetails({ settings, isReady }: ContainerExplanation): Details {
  if (settings === undefined) return {};
  const { memoryLimit, cpuLimit, livenessProbe, readinessProbe, startupProbe } = settings;
  const { command = null, args = null, variables = [], variableSources = [], mounts = [] } = settings;
  return {
    ready: isReady === null ? null : isReady ? "yes" : "no",
    command,
    args,
    env: listed(variables),
    "env from": listed(variableSources),
    mounts: listed(mounts),
    memory: memoryLimit === null ? "no limit" : `limit ${memoryLimit}`,
    cpu: cpuLimit === undefined ? null : `limit ${cpuLimit}`,
    startup: probeWords(startupProbe),
    liveness: probeWords(livenessProbe),
    readiness: probeWords(readinessProbe),
  };
}

const MOST_LISTED = 30;

function listed(items: readonly string[]): string | null {
  if (items.length === 0) return null;
  return firstOf(items, MOST_LISTED);
}

function probeWords(probe: Probe | null): string | null {
  if (probe === null) return null;
  const { request, initialDelayMs, periodMs, timeoutMs, failureThreshold, gracePeriodMs } = probe;
  const asks = request === undefined ? "" : `${request}, `;
  const first = initialDelayMs === 0 ? "" : `, from ${formatBriefDuration(initialDelayMs)} after the start`;
  const failures = `, fails after ${counted(failureThreshold, "failure")} in a row`;
  const grace = gracePeriodMs === null ? "" : `, ${formatBriefDuration(gracePeriodMs)} of grace`;
  return `${asks}every ${formatBriefDuration(periodMs)}${first}, timeout ${formatBriefDuration(timeoutMs)}${failures}${grace}`;
}

function restartsWords(pod: PodExplanation, { restartCount }: ContainerExplanation, { nowMs }: Page): string | null {
  const ageMs = nowMs - (pod.createdAtMs ?? nowMs);
  if (restartCount === 0 || ageMs <= 0) return null;
  const pace = restartCount === 1 ? "" : `, one every ${formatElapsed(ageMs / restartCount)} on average`;
  return `${restartCount} in ${formatElapsed(ageMs)}${pace}`;
}

function exitDetails({ lastExit }: ContainerExplanation, times: Times): Details {
  if (lastExit === null) return {};
  const { startedAtMs, finishedAtMs, exitCode, signal, reason, message } = lastExit;
  const facts = [`code ${exitCode}`, ...(signal === null ? [] : [`signal ${signal}`])];
  return {
    started: startedAtMs === null ? "unknown" : times.instant(startedAtMs),
    finished: finishedAtMs === null ? "unknown" : times.instant(finishedAtMs),
    exit: [...facts, reason === null ? "no reason given" : `reason ${reason}`].join(", "),
    message: message || "none",
  };
}

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

const RUN_HEADINGS = ["RUN", "STARTED", "RAN", "EXIT", "WAITED", "BASIS"];
const UNKNOWN = "?";
const NOT_YET = "-";

function runLines(container: ContainerExplanation, page: Page): string[] {
  const { shown, leftOut } = newestRuns(container.history);
  const cells = shown.map((run) => cellsOf(run, run === shown.at(-1), container, page));
  const note = leftOut > 0 ? wrap(`${counted(leftOut, "earlier run")} not shown.`, page.columns) : [];
  return shown.length === 0 ? [] : [...laidOut(cells, page), ...note];
}

function cellsOf(run: Run, isLast: boolean, { state }: ContainerExplanation, { nowMs, times }: Page): string[] {
  const { start, startedAtMs, startedBetweenMs, finishedAtMs, exitCode, waitedMs, basis } = run;
  const between = startedBetweenMs === null ? UNKNOWN : times.span(...startedBetweenMs);
  const isRunning = isLast && state === "running" && finishedAtMs === null;
  const endMs = isRunning ? nowMs : finishedAtMs;
  const ranMs = startedAtMs === null || endMs === null ? null : endMs - startedAtMs;
  const ran = ranMs === null || isAhead(ranMs) ? UNKNOWN : formatElapsed(ranMs);
  return [
    `${start}`,
    startedAtMs === null ? between : times.instant(startedAtMs),
    isRunning && ran !== UNKNOWN ? `${ran} so far` : ran,
    exitCode === null ? (isRunning ? NOT_YET : UNKNOWN) : `${exitCode}`,
    waitedMs === null ? (isLast ? NOT_YET : UNKNOWN) : formatBriefDuration(waitedMs),
    basis,
  ];
}

function laidOut(rows: readonly string[][], page: Page): string[] {
  const table = { headings: RUN_HEADINGS, rows };
  if (tableWidth(table) <= page.columns) return tableLines(table, page.color);
  return rows.flatMap(([run, started, ran, exit, waited, basis]) => {
    const cells = Object.entries({ started, ran, exit, waited });
    const known = cells.filter(([, cell]) => cell !== UNKNOWN && cell !== NOT_YET);
    return labelled(`run ${run}`, [...known.map(([name, cell]) => `${name} ${cell}`), basis].join(", "), page);
  });
}
