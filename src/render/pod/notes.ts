import type { ContainerExplanation, Evidence, PodExplanation } from "../../explain/answer/explanation.ts";
import { nodeInWords } from "../../explain/answer/node-fact.ts";
import { isWithoutNode } from "../../explain/answer/node-outage.ts";
import { type Prose, prose } from "../../explain/answer/prose.ts";
import type { ShownValues } from "../../explain/answer/setting-change.ts";
import { sinceInWords } from "../../explain/answer/since.ts";
import { awaitsRestart, byUrgency, isCrash, isFailing, isHeldUp, mainContainer } from "../../explain/triage.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { labelled, type Page } from "../page/page.ts";
import { capitalized } from "../page/paint.ts";
import { gapTexts } from "./gap-texts.ts";
import { impactText, isPodOver, sinceText } from "./impact.ts";

const MOST_WITH_EVIDENCE = 3;

export interface Note {
  readonly label: string;
  readonly text: Prose;
}

export function notesInLines(notes: readonly Note[], page: Page): string[] {
  return notes.flatMap(({ label, text }) => labelled(label, page.times.text(text), page));
}

const PRESSING: readonly string[] = [
  "job-failed",
  "job-backoff-limit",
  "job-limit-per-index",
  "statefulset-waits-for-broken-pod",
];

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
    ...gapNote(pod),
  ];
}

function statusText(pod: PodExplanation): string {
  // If the pod has ended or is being deleted, the headline can already say why.
  if (pod.ending === null || isPodOver(pod)) return "";
  const { reason, message } = pod.ending;
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

function nodeText(pod: PodExplanation): Prose {
  const { node, nodeFacts = [], ending } = pod;
  // The headline or the sentence about the restart can name a NotReady node.
  const others = nodeFacts.filter(({ kind }) => kind !== "not-ready");
  const isByItself = pod.verdict !== "terminating" && ending === null;
  return node === null ? "" : nodeInWords(node, others, isByItself ? mainContainer(pod)?.failingSince?.atMs : null);
}

/** The notes "Since" and "Node" can be about the changes that are left out here. */
function changeNotes({ changes = [] }: PodExplanation): Note[] {
  const others = changes.filter(({ kind }) => kind !== "revision" && kind !== "node");
  return others.map(({ sentence }) => ({ label: "Changed", text: sentence }));
}

function crashNotes({ lastExit, obstacle }: ContainerExplanation): Note[] {
  if (lastExit === null || obstacle !== null) return [];
  return [{ label: isCrash(lastExit) ? "Crash" : "Exit", text: lastExit.crash }];
}

const NEEDS_WHY: readonly ContainerExplanation["state"][] = ["failed", "unknown", "starting"];

function waitNotes({ waitSentence, why, state }: ContainerExplanation, { verdict }: PodExplanation): Note[] {
  if (verdict === "completed" || verdict === "terminating") return [];
  if (waitSentence !== "") return [{ label: "Wait", text: waitSentence }];
  return NEEDS_WHY.includes(state) && why !== "" ? [{ label: "Why", text: why }] : [];
}

function wayNotes({ ways }: ContainerExplanation): Note[] {
  if (ways === null) return [];
  const { afterKill, afterExit } = ways;
  return [...noteOf("Probe kill", capitalized(afterKill)), ...noteOf("Own exit", capitalized(afterExit))];
}

function readinessNotes({ state, isReady, evidence }: ContainerExplanation): Note[] {
  const failed = evidence.find(({ rule }) => rule === "failed-readiness-probe");
  if (state !== "running" || isReady !== false || failed === undefined) return [];
  return [{ label: "Why", text: prose`Not ready: ${failed.text}.` }];
}

/** Leaves out gaps about a NotReady or missing node, because other sentences can name the node. */
function gapNote(pod: PodExplanation): Note[] {
  const { gaps, policy } = pod;
  const isSaid = isWithoutNode(pod)
    ? (code: string) => code.startsWith("node-")
    : (code: string) => code === "node-not-ready";
  const others = gaps.filter(({ code }) => !isSaid(code));
  const [first, ...more] = gapTexts(others, policy);
  if (first === undefined) return [];
  const rest = more.length === 0 ? "" : ` ${more.length} more: -o wide.`;
  return [{ label: "Gap", text: first + rest }];
}

export function groundsOf(pod: PodExplanation): string {
  if (!pod.containers.some((container) => container.reset !== null || awaitsRestart(container))) return "";
  const runs = mainContainer(pod)?.history ?? [];
  // The history may leave out the first runs of a long loop.
  const leftOut = runs[0]?.start ?? 0;
  const observed = runs.filter(({ basis }) => basis === "observed").length;
  const inferred = runs.length - observed + leftOut;
  const counts = [...(observed > 0 ? [`${observed} observed`] : []), ...(inferred > 0 ? [`${inferred} inferred`] : [])];
  const noun = observed + inferred === 1 ? "run" : "runs";
  const what = counts.length === 0 ? "the pod's status" : `${counts.join(" and ")} ${noun}`;
  return `Based on ${what}${policyGrounds(pod)}.`;
}

function policyGrounds({ policy, gaps }: PodExplanation): string {
  if (policy.isInferred === true) return "; back-off inferred from its waits";
  if (policy.basis === "configz") return "; kubelet config read";
  if (policy.basis === "flag") return "; kubelet settings given by flags";
  return gaps.some(({ code }) => code.startsWith("node")) ? "" : "; kubelet defaults assumed";
}

export function podNotes(pod: PodExplanation): Note[] {
  const explained = explainedContainers(pod.containers);
  const isNamed = pod.containers.length > 1;
  const of = (container: ContainerExplanation, made: Note[]): Note[] =>
    isNamed && !isHeldUp(container)
      ? made.map((note) => ({ ...note, text: prose`${container.name}: ${note.text}` }))
      : made;
  const main = mainContainer(pod);
  return [
    ...explained.flatMap((container) =>
      of(container, [
        ...(container === main ? [] : crashNotes(container)),
        ...whyNotes(container, container === main ? waitNotes(container, pod) : []),
      ]),
    ),
    ...explained.slice(0, MOST_WITH_EVIDENCE).flatMap((container) => of(container, evidenceNotes(container))),
    ...(explained.some(hasBackoff) ? [policyNote(pod)] : []),
    ...ownerNotes(pod),
    ...gapTexts(pod.gaps, pod.policy).map((text) => ({ label: "gap", text })),
  ];
}

/**
 * After the kill by a probe, `delayMs` can be 0 although there is a back-off record, because the kubelet counts the
 * wait from the previous exit.
 */
function hasBackoff({ delayMs, reset }: ContainerExplanation): boolean {
  return reset !== null || (delayMs !== null && delayMs > 0);
}

/** An obstacle of the pod or the node may hold up several containers: then the first stands for all of them. */
function explainedContainers(containers: readonly ContainerExplanation[]): ContainerExplanation[] {
  const firstHeldUp = containers.find(isHeldUp);
  const failing = byUrgency(containers.filter((one) => isFailing(one) && (one === firstHeldUp || !isHeldUp(one))));
  return failing.length > 0 ? failing : byUrgency(containers).slice(0, 1);
}

function whyNotes({ why, whyWithoutWait }: ContainerExplanation, shown: readonly Note[]): Note[] {
  if (shown.some(({ label }) => label === "Why")) return [];
  const text = shown.length === 0 ? why : whyWithoutWait;
  return text === "" ? [] : [{ label: "why", text }];
}

const BASES = ["observed", "inferred", "assumed"];

function evidenceNotes({ evidence }: ContainerExplanation): Note[] {
  const sorted = evidence.toSorted((a, b) => BASES.indexOf(a.basis) - BASES.indexOf(b.basis));
  return sorted.map(evidenceNote);
}

function evidenceNote({ basis, text }: Evidence): Note {
  return { label: basis, text };
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

function ownerNotes({ owners = [], ownerEvidence = [] }: PodExplanation): Note[] {
  if (owners.length === 0) return [];
  const steps = owners.map(({ kind, name, basis }) => {
    return `${kind} ${name}${basis === "inferred" ? " (inferred from the name)" : ""}`;
  });
  const owner: Note = { label: "owner", text: ["pod", ...steps].join(" ← ") };
  return [owner, ...ownerEvidence.map(evidenceNote)];
}
