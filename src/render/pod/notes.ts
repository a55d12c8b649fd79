import type {
  ContainerExplanation,
  Evidence,
  PodExplanation,
  PolicyExplanation,
} from "../../explain/answer/explanation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { labelled, type Page } from "../page/page.ts";
import type { Times } from "../page/times.ts";
import { byUrgency, isHeldUp, isInTrouble, isMadeUp } from "../page/trouble.ts";
import { shorten, wrap } from "../page/width.ts";

/** The labels' column: the longest one ("last exit") and two blanks. */
const LABEL_WIDTH = 11;

/** So much of what a container said at its end is shown; the beginning and the end of it tell most. */
const MESSAGE_COLUMNS = 240;

/** Of so many containers in trouble the evidence is listed; with more, nobody reads it. */
const MOST_WITH_EVIDENCE = 3;

/** One labelled text below a table. */
export interface Note {
  readonly label: "last exit" | "log" | "log now" | "why" | Evidence["basis"] | "delays" | "owner" | "gap";
  readonly text: string;
  /** What follows the text line by line, as it is. */
  readonly lines?: readonly string[];
}

/** What stands below the table: last exits, mechanisms, what the answer rests on, the delays in force, and what was not seen. */
export function notes(pod: PodExplanation, page: Page): string[] {
  return podNotes(pod, page.times).flatMap(({ label, text, lines }) => [
    ...labelled(label, LABEL_WIDTH, text, page),
    ...noteLines(lines ?? [], LABEL_WIDTH, page),
  ]);
}

/** The same, not yet laid out. */
export function podNotes(pod: PodExplanation, times: Times): Note[] {
  const told = worthTelling(pod.containers);
  const isNamed = pod.containers.length > 1;
  const of = (container: ContainerExplanation, made: Note[]): Note[] =>
    isNamed && !isHeldUp(container) ? made.map((note) => ({ ...note, text: `${container.name}: ${note.text}` })) : made;
  return [
    ...told.flatMap((container) =>
      of(container, [...exitNotes(container, times), ...logNotes(container), ...whyNotes(container, times)]),
    ),
    ...told.slice(0, MOST_WITH_EVIDENCE).flatMap((container) => of(container, evidenceNotes(container, times))),
    ...(told.some(({ delayMs }) => delayMs !== null && delayMs > 0) ? [policyNote(pod.policy)] : []),
    ...ownerNotes(pod, times),
    ...pod.gaps.map(({ message }) => ({ label: "gap" as const, text: times.sentence(message) })),
  ];
}

function worthTelling(containers: readonly ContainerExplanation[]): ContainerExplanation[] {
  const held = containers.find(isHeldUp);
  const troubled = byUrgency(containers.filter((one) => isInTrouble(one) && (one === held || !isHeldUp(one))));
  return troubled.length > 0 ? troubled : byUrgency(containers).slice(0, 1);
}

function exitNotes({ lastExit }: ContainerExplanation, times: Times): Note[] {
  if (lastExit === null) return [];
  const { meaning, message, cause } = lastExit;
  // After a restart of all the record is made up, too, and so is its message.
  const isOwn = message !== null && message !== "" && cause !== "restart-all" && !isMadeUp(lastExit);
  const said = !isOwn ? "" : ` It left the message "${shorten(message, MESSAGE_COLUMNS)}".`;
  return [{ label: "last exit" as const, text: times.sentence(meaning) + said }];
}

function whyNotes({ why }: ContainerExplanation, times: Times): Note[] {
  return why === "" ? [] : [{ label: "why", text: times.sentence(why) }];
}

const BASES: readonly Evidence["basis"][] = ["seen", "inferred", "assumed"];

function evidenceNotes({ evidence }: ContainerExplanation, times: Times): Note[] {
  return BASES.flatMap((basis) => evidence.filter((item) => item.basis === basis)).map(({ basis, text }) => ({
    label: basis,
    text: times.sentence(text),
  }));
}

function policyNote(policy: PolicyExplanation): Note {
  const { initialMs, maxMs, resetAfterMs, kubeletVersion, basis, isInferred } = policy;
  const growth =
    initialMs < maxMs
      ? `${formatBriefDuration(initialMs)}, doubling up to ${formatBriefDuration(maxMs)}`
      : formatBriefDuration(maxMs);
  const kubelet = kubeletVersion === null ? "the kubelet" : `kubelet ${kubeletVersion}`;
  const sources = {
    configz: `from the configuration of ${kubelet}`,
    flag: `as given on the command line, ${kubelet}`,
    version: `the defaults of ${kubelet}`,
    assumed: `assumed: the defaults of ${kubelet}`,
  };
  return {
    label: "delays",
    text: `${growth}; reset after ${formatBriefDuration(resetAfterMs)} (${isInferred === true ? "inferred from the pod's own waits" : sources[basis]})`,
  };
}

/** So much of a line is shown; the beginning and the end of it tell most. */
const LINE_COLUMNS = 240;

/** With less room than this beside it, an indentation gives way. */
const TEXT_MIN_COLUMNS = 16;

/** What a container printed, next to the exit that it belongs to; nothing where nobody asked, or nothing could be read. */
function logNotes({ logs }: ContainerExplanation): Note[] {
  const { previous = null, current = null } = logs ?? {};
  return [
    ...(previous === null ? [] : [noteOf("log", previous, "before this exit")]),
    ...(current === null ? [] : [noteOf("log now", current, "of the instance that runs")]),
  ];
}

function noteOf(label: Note["label"], lines: readonly string[], whose: string): Note {
  if (lines.length === 0) return { label, text: `No output ${whose}.` };
  const count = lines.length === 1 ? "The last line" : `The last ${lines.length} lines`;
  return { label, text: `${count} ${whose}:`, lines };
}

/** Lines as they are, below the text of their note and a little to its right; long ones are shortened, then broken. */
export function noteLines(lines: readonly string[], labelWidth: number, page: Page): string[] {
  const left = page.columns - labelWidth < 2 * TEXT_MIN_COLUMNS ? 2 : labelWidth + 2;
  return lines.flatMap((line) => {
    const text = line.trimStart();
    const indentation = Math.min(line.length - text.length, page.columns - left - TEXT_MIN_COLUMNS);
    const margin = " ".repeat(left + Math.max(0, indentation));
    const broken = wrap(shorten(text, LINE_COLUMNS), page.columns - margin.length);
    return broken.length === 0 ? [""] : broken.map((piece) => margin + piece);
  });
}

/** The objects above a pod in one line, and what they mean for its crashes; nothing for a pod of its own. */
function ownerNotes({ owners = [], ownerEvidence = [] }: PodExplanation, times: Times): Note[] {
  if (owners.length === 0) return [];
  const steps = owners.map(({ kind, name, basis }) => `${kind} ${name}${basis === "inferred" ? " (by its name)" : ""}`);
  return [
    { label: "owner", text: ["pod", ...steps].join(" ← ") },
    ...ownerEvidence.map(({ basis, text }): Note => ({ label: basis, text: times.sentence(text) })),
  ];
}
