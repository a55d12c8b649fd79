import type { ContainerExplanation, Evidence, Gap, PodExplanation } from "../../explain/answer/explanation.ts";
import { nodeInWords } from "../../explain/answer/node-fact.ts";
import { type Prose, prose } from "../../explain/answer/prose.ts";
import type { ShownValues } from "../../explain/answer/setting-change.ts";
import { sinceInWords } from "../../explain/answer/since.ts";
import { awaitsRestart, byUrgency, isCrash, isFailing, mainContainer } from "../../explain/triage.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { labelled, type Page } from "../page/page.ts";
import { capitalized } from "../page/paint.ts";
import { isHeldUp } from "../page/trouble.ts";
import { gapTexts } from "./gap-texts.ts";
import { impactText, sinceText } from "./impact.ts";

const MOST_WITH_EVIDENCE = 3;

export interface Note {
  readonly label: string;
  readonly text: Prose;
}

export function notesInLines(notes: readonly Note[], page: Page): string[] {
  return notes.flatMap(({ label, text }) => labelled(label, page.times.text(text), page));
}

/**
 * The rules of the evidence that the note "Owner" shows: an owner may soon delete the pod and its logs, or a rollout is
 * blocked.
 */
const PRESSING: readonly string[] = [
  "job-failed",
  "job-backoff-limit",
  "job-limit-per-index",
  "statefulset-waits-for-broken-pod",
];

/** Returns the notes that table, html and md have; {@link podNotes} returns further ones. */
export function mainNotes(pod: PodExplanation, { nowMs }: Pick<Page, "nowMs">, shown: ShownValues = "all"): Note[] {
  const main = mainContainer(pod);
  const pressing = pod.ownerEvidence?.find(({ rule }) => PRESSING.includes(rule));
  return [
    ...noteOf("Status", statusText(pod)),
    ...(main === undefined ? [] : [...crashNotes(main), ...readinessNotes(main)]),
    ...needNotes(pod),
    ...noteOf("Since", sinceText(pod, nowMs, shown)),
    ...noteOf("Others", pod.since?.kind === "healthy-peers" ? sinceInWords(pod.since, nowMs, shown) : ""),
    ...changeNotes(pod),
    ...noteOf("Node", nodeText(pod)),
    ...noteOf("Impact", impactText(pod, nowMs)),
    ...(main === undefined ? [] : [...waitNotes(main, pod), ...wayNotes(main)]),
    ...noteOf("Owner", pressing?.text ?? ""),
    ...gapNote(pod.gaps),
  ];
}

/** Returns the reason and message of the pod's status, unless the headline has them, because the pod has ended. */
function statusText({ ending, verdict }: PodExplanation): string {
  if (ending === null || verdict === "terminating" || verdict === "failed" || verdict === "completed") return "";
  const { reason, message } = ending;
  return message === "" ? reason : `${message}${reason && ` (${reason})`}`;
}

function noteOf(label: string, text: Prose): Note[] {
  return text === "" ? [] : [{ label, text }];
}

function needNotes({ needs = [], neededBy = [] }: PodExplanation): Note[] {
  return [
    ...needs.map(({ sentence }) => ({ label: "Needs", text: sentence })),
    ...neededBy.map(({ sentence }) => ({ label: "Needed by", text: sentence })),
  ];
}

/**
 * Returns what may be wrong with the pod's node, but not that it is NotReady: the sentence about the restart says so.
 */
function nodeText(pod: PodExplanation): Prose {
  const { node, nodeFacts = [], ending } = pod;
  const others = nodeFacts.filter(({ kind }) => kind !== "not-ready");
  const isByItself = pod.verdict !== "terminating" && ending === null;
  return node === null ? "" : nodeInWords(node, others, isByItself ? mainContainer(pod)?.failingSince?.atMs : null);
}

/** Leaves out changes of a revision or a node, which the notes "Since" and "Node" show. */
function changeNotes({ changes = [] }: PodExplanation): Note[] {
  const others = changes.filter(({ kind }) => kind !== "revision" && kind !== "node");
  return others.map(({ sentence }) => ({ label: "Changed", text: sentence }));
}

function crashNotes({ lastExit, obstacle }: ContainerExplanation): Note[] {
  if (lastExit === null || obstacle !== null) return [];
  return [{ label: isCrash(lastExit) ? "Crash" : "Exit", text: lastExit.crash }];
}

/** The states whose reason is neither in the headline nor in the note about the wait. */
const NEEDS_WHY: readonly ContainerExplanation["state"][] = ["failed", "unknown", "starting"];

function waitNotes({ wait, why, state }: ContainerExplanation, { verdict }: PodExplanation): Note[] {
  if (verdict === "completed" || verdict === "terminating") return [];
  if (wait !== "") return [{ label: "Wait", text: wait }];
  return NEEDS_WHY.includes(state) && why !== "" ? [{ label: "Why", text: why }] : [];
}

function wayNotes({ ways }: ContainerExplanation): Note[] {
  if (ways === null) return [];
  const { afterKill, afterExit } = ways;
  return [...noteOf("Probe kill", capitalized(afterKill)), ...noteOf("Own exit", capitalized(afterExit))];
}

/** Returns why a container that runs is not Ready, if an event shows it. */
function readinessNotes({ state, isReady, evidence }: ContainerExplanation): Note[] {
  const failed = evidence.find(({ rule }) => rule === "failed-readiness-probe");
  if (state !== "running" || isReady !== false || failed === undefined) return [];
  return [{ label: "Why", text: prose`Not ready: ${failed.text}.` }];
}

/**
 * Returns a note with the first of the gaps, and how many more there are. Leaves out a NotReady node, which the
 * sentence about the restart names.
 */
function gapNote(gaps: readonly Gap[]): Note[] {
  const [first, ...more] = gapTexts(gaps.filter(({ code }) => code !== "node-not-ready"));
  if (first === undefined) return [];
  const rest = more.length === 0 ? "" : ` ${more.length} more: -o wide.`;
  return [{ label: "Gap", text: first + rest }];
}

/**
 * Returns "Based on 2 observed and 4 inferred runs; kubelet config read."; "" if no container has a back-off or awaits
 * its restart.
 */
export function groundsOf(pod: PodExplanation): string {
  if (!pod.containers.some((container) => container.reset !== null || awaitsRestart(container))) return "";
  const runs = mainContainer(pod)?.history ?? [];
  // The history leaves out the first runs of a very long loop.
  const leftOut = runs[0]?.start ?? 0;
  const observed = runs.filter(({ basis }) => basis === "observed").length;
  const inferred = runs.length - observed + leftOut;
  const counts = [...(observed > 0 ? [`${observed} observed`] : []), ...(inferred > 0 ? [`${inferred} inferred`] : [])];
  const noun = observed + inferred === 1 ? "run" : "runs";
  const what = counts.length === 0 ? "the pod's status" : `${counts.join(" and ")} ${noun}`;
  return `Based on ${what}${policyGrounds(pod)}.`;
}

/** Returns the source of the back-off settings; "" if a gap about the node already says that defaults are assumed. */
function policyGrounds({ policy, gaps }: PodExplanation): string {
  if (policy.isInferred === true) return "; back-off inferred from its waits";
  if (policy.basis === "configz") return "; kubelet config read";
  if (policy.basis === "flag") return "; kubelet settings given by flags";
  return gaps.some(({ code }) => code.startsWith("node")) ? "" : "; kubelet defaults assumed";
}

/** Returns the further notes of wide and html. */
export function podNotes(pod: PodExplanation): Note[] {
  const told = worthTelling(pod.containers);
  const isNamed = pod.containers.length > 1;
  const of = (container: ContainerExplanation, made: Note[]): Note[] =>
    isNamed && !isHeldUp(container)
      ? made.map((note) => ({ ...note, text: prose`${container.name}: ${note.text}` }))
      : made;
  const main = mainContainer(pod);
  return [
    ...told.flatMap((container) =>
      of(container, [
        ...(container === main ? [] : crashNotes(container)),
        ...whyNotes(container, container === main ? waitNotes(container, pod) : []),
      ]),
    ),
    ...told.slice(0, MOST_WITH_EVIDENCE).flatMap((container) => of(container, evidenceNotes(container))),
    ...(told.some(({ delayMs }) => delayMs !== null && delayMs > 0) ? [policyNote(pod)] : []),
    ...ownerNotes(pod),
    ...gapTexts(pod.gaps).map((text) => ({ label: "gap", text })),
  ];
}

function worthTelling(containers: readonly ContainerExplanation[]): ContainerExplanation[] {
  const held = containers.find(isHeldUp);
  const troubled = byUrgency(containers.filter((one) => isFailing(one) && (one === held || !isHeldUp(one))));
  return troubled.length > 0 ? troubled : byUrgency(containers).slice(0, 1);
}

/**
 * Returns why the container is in its state. Returns nothing if `said` has the note "Why"; if it has "Wait", returns
 * only what that leaves out.
 */
function whyNotes({ why, whyElse }: ContainerExplanation, said: readonly Note[]): Note[] {
  if (said.some(({ label }) => label === "Why")) return [];
  const text = said.length === 0 ? why : whyElse;
  return text === "" ? [] : [{ label: "why", text }];
}

const BASES = ["seen", "inferred", "assumed"];

function evidenceNotes({ evidence }: ContainerExplanation): Note[] {
  const sorted = evidence.toSorted((a, b) => BASES.indexOf(a.basis) - BASES.indexOf(b.basis));
  return sorted.map(evidenceNote);
}

function evidenceNote({ basis, text }: Evidence): Note {
  return { label: basis === "seen" ? "observed" : basis, text };
}

function policyNote({ policy, node }: PodExplanation): Note {
  const { initialMs, maxMs, resetAfterMs, kubeletVersion, basis, isInferred, isKubeadm } = policy;
  const first = initialMs < maxMs ? `${formatBriefDuration(initialMs)}, doubling to ` : "";
  const version = kubeletVersion === null ? "" : `, ${kubeletVersion}`;
  const defaults = `${kubeletVersion === null ? "kubelet" : `kubelet ${kubeletVersion}`} defaults`;
  const sources = {
    configz: `${node === null ? "the" : `${node}'s`} kubelet configuration${version}`,
    flag: `given by flags${version}`,
    version: defaults,
    assumed:
      isKubeadm === true ? `assumed from kubeadm's configuration of the cluster${version}` : `assumed ${defaults}`,
  };
  const resets = formatBriefDuration(resetAfterMs);
  const source = isInferred === true ? "inferred from the pod's own waits" : sources[basis];
  return { label: "back-off", text: `${first}${formatBriefDuration(maxMs)}; resets after ${resets} (${source})` };
}

/** Returns "pod ← ReplicaSet web-5d4f ← Deployment web", and what these owners mean for the crashes. */
function ownerNotes({ owners = [], ownerEvidence = [] }: PodExplanation): Note[] {
  if (owners.length === 0) return [];
  const steps = owners.map(({ kind, name, basis }) => {
    return `${kind} ${name}${basis === "inferred" ? " (inferred from the name)" : ""}`;
  });
  const owner: Note = { label: "owner", text: ["pod", ...steps].join(" ← ") };
  return [owner, ...ownerEvidence.map(evidenceNote)];
}
