import type {
  ContainerExplanation,
  Explanation,
  LastExit,
  PodExplanation,
  Run,
} from "../../explain/answer/explanation.ts";
import { backoffKeyParts, type KeyChange, type KeyPart, keyChanges } from "../../kubelet/backoff-key.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { type KubeletVersion, parseKubeletVersion } from "../../kubelet/version.ts";
import { columnLines, widthOf } from "../page/columns.ts";
import { formatElapsed, isAhead } from "../page/durations.ts";
import { labelled, type Page, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import type { Times } from "../page/times.ts";
import { byUrgency, roleSuffix } from "../page/trouble.ts";
import { wrap } from "../page/width.ts";
import { notesInLines, podNotes } from "./notes.ts";
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
  const steps = pod.plan.map((step, index) => `${index + 1}. ${page.times.sentence(step)}`);
  return [
    ...labelled("node", LABEL_WIDTH, nodeWords(pod), page),
    ...steps.flatMap((step, index) => labelled(index === 0 ? "next sync" : "", LABEL_WIDTH, step, page)),
    ...labelled("reset by", LABEL_WIDTH, resetWords(pod), page),
  ].filter((line) => line !== "");
}

function nodeWords({ node, policy }: PodExplanation): string {
  if (node === null) return "none yet";
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
    ["image", container.image],
    ...(container.lastExit === null ? [] : exitRows(container.lastExit, page.times)),
    ["key", keyWords(pod, container)],
  ];
  return rows.flatMap(([label, text]) => labelled(label, LABEL_WIDTH, text, page));
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
