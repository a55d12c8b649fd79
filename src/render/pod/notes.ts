import type {
  ContainerExplanation,
  Evidence,
  PodExplanation,
  PolicyExplanation,
} from "../../explain/answer/explanation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { labelled, type Page } from "../page/page.ts";
import type { Times } from "../page/times.ts";
import { byUrgency, isHeldUp, isInTrouble } from "../page/trouble.ts";
import { shorten } from "../page/width.ts";

/** The labels' column: the longest one ("last exit") and two blanks. */
const LABEL_WIDTH = 11;

/** So much of what a container said at its end is shown; the beginning and the end of it tell most. */
const MESSAGE_COLUMNS = 240;

/** Of so many containers in trouble the evidence is listed; with more, nobody reads it. */
const MOST_WITH_EVIDENCE = 3;

/** One labelled text below a table. */
export interface Note {
  readonly label: "last exit" | "why" | Evidence["basis"] | "delays" | "owner" | "gap";
  readonly text: string;
}

/** What stands below the table: last exits, mechanisms, what the answer rests on, the delays in force, and what was not seen. */
export function notes(pod: PodExplanation, page: Page): string[] {
  return podNotes(pod, page.times).flatMap(({ label, text }) => labelled(label, LABEL_WIDTH, text, page));
}

/** The same, not yet laid out. */
export function podNotes(pod: PodExplanation, times: Times): Note[] {
  const told = worthTelling(pod.containers);
  const isNamed = pod.containers.length > 1;
  const of = (container: ContainerExplanation, made: Note[]): Note[] =>
    isNamed && !isHeldUp(container) ? made.map((note) => ({ ...note, text: `${container.name}: ${note.text}` })) : made;
  return [
    ...told.flatMap((container) => of(container, [...exitNotes(container, times), ...whyNotes(container, times)])),
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
  // After a restart of all the record is made up, and so is its message.
  const isOwn = message !== null && message !== "" && cause !== "restart-all";
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

/** The objects above a pod in one line, and what they mean for its crashes; nothing for a pod of its own. */
function ownerNotes({ owners = [], ownerEvidence = [] }: PodExplanation, times: Times): Note[] {
  if (owners.length === 0) return [];
  const steps = owners.map(({ kind, name, basis }) => `${kind} ${name}${basis === "inferred" ? " (by its name)" : ""}`);
  return [
    { label: "owner", text: ["pod", ...steps].join(" ← ") },
    ...ownerEvidence.map(({ basis, text }): Note => ({ label: basis, text: times.sentence(text) })),
  ];
}
