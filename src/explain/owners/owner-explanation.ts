import { ageIn } from "../answer/excerpt.ts";
import type { Evidence, Explanation, Gap, PodExplanation } from "../answer/explanation.ts";
import { type ExplainOptions, explain } from "../explain.ts";
import { nextStepsOf, type StepsRequest } from "../next-steps/next-steps.ts";
import type {
  Observation,
  OwnedPod,
  OwnerMissing,
  OwnersObservation,
  RevisionSnapshot,
} from "../observed/observation.ts";
import { isFine } from "../triage.ts";
import { concluded, stated } from "../words/evidence.ts";
import { NOT_READ } from "../words/gaps.ts";
import { countOf, daemonSetEvidence, deploymentEvidence, statefulSetEvidence } from "./owner-deployment.ts";
import { jobEvidence } from "./owner-job.ts";

/** Explains the pods of an observation, and adds their owners, evidence about the owners, and suggested commands. */
export function explained(observation: Observation, options: ExplainOptions, steps: StepsRequest = {}): Explanation {
  const { atMs } = observation;
  const explanation = explain(observation, options);
  const pods = explanation.pods.map((alone, index) => {
    const observed = observation.pods[index];
    if (observed === undefined) return alone;
    const pod = observed.owners === undefined ? alone : withOwners(alone, observed.owners, atMs);
    const nextSteps = nextStepsOf(pod, observed, atMs, steps);
    return nextSteps.length === 0 ? pod : { ...pod, nextSteps };
  });
  return { ...explanation, pods };
}

function withOwners(pod: PodExplanation, owners: OwnersObservation, atMs: number): PodExplanation {
  const gaps = [...pod.gaps, ...owners.missing.map(gapOf)];
  if (isFine(pod)) return { ...pod, owners: owners.chain, since: null, ownerEvidence: [], gaps };
  const since = sinceOf(owners, pod.name, atMs);
  const evidence = [...workloadEvidence(owners, pod.name, atMs), ...revisionEvidence(owners, pod.name, atMs)];
  return { ...pod, owners: owners.chain, since, ownerEvidence: evidence, gaps };
}

function workloadEvidence({ workload, pods, revisions }: OwnersObservation, podName: string, atMs: number): Evidence[] {
  const own = pods.find(({ name }) => name === podName);
  switch (workload?.kind) {
    case "Deployment":
      return deploymentEvidence(workload);
    case "StatefulSet":
      return own === undefined ? [] : statefulSetEvidence(workload, own, pods.length);
    case "DaemonSet":
      return own === undefined ? [] : daemonSetEvidence(workload, own, revisions[0]);
    case "Job":
      return jobEvidence(workload, pods, own, atMs);
    default:
      return [];
  }
}

const WHAT: Readonly<Record<OwnerMissing["what"], { readonly before: string; readonly consequence: string }>> = {
  owner: { before: "", consequence: "Can't tell whether a rollout or a limit of it is involved." },
  revisions: { before: "the revisions of ", consequence: "Can't tell when the crashes began." },
  "owned-pods": { before: "the other pods of ", consequence: "Can't tell whether they crash too." },
};

function gapOf({ what, owner: { kind, name }, why }: OwnerMissing): Gap {
  const { before, consequence } = WHAT[what];
  const right = {
    owner: `get ${kind.toLowerCase()}s`,
    revisions: `list ${kind === "Deployment" ? "replicasets" : "controllerrevisions"}`,
    "owned-pods": "list pods",
  }[what];
  return { code: `${what}-${why}`, message: `${NOT_READ[why](`${before}${kind} ${name}`, right)}. ${consequence}` };
}

/** Compares the restarts in the pod's revision with those in an earlier revision or, without one, in the newest. */
export function revisionEvidence(owners: OwnersObservation, podName: string, atMs: number): Evidence[] {
  const { revisions, pods } = owners;
  const { own, before } = revisionsOf(owners, podName);
  if (own === undefined) return [];
  const [newest] = revisions;
  const other = before ?? (newest === own ? undefined : newest);
  const described = `revision ${own.number} (${describe(own, pods, atMs, other)})`;
  if (other === undefined)
    return [stated("first-revision", `only ${described} exists, so there is nothing to compare`)];
  const relation = other === before ? "before it" : "after it";
  const compared = `${described}; ${relation} revision ${other.number} (${describe(other, pods, atMs, own)})`;
  return [stated("revisions-compared", compared), ...(before === undefined ? [] : conclusion(own, before, pods))];
}

/** Returns the pod's revision, and the latest earlier revision; one that still has pods is preferred. */
function revisionsOf({ revisions, pods }: OwnersObservation, podName: string) {
  const revisionName = pods.find(({ name }) => name === podName)?.revision;
  const own = revisions.find(({ name }) => name === revisionName);
  const older = revisions.filter(({ number }) => own !== undefined && number < own.number);
  return { own, before: older.find((revision) => podsOf(revision, pods).length > 0) ?? older[0] };
}

/** Returns since when the pod crashes, e.g. "revision 7 (12m ago); revision 6 does not crash"; null if unknown. */
function sinceOf(owners: OwnersObservation, podName: string, atMs: number): string | null {
  const { own, before } = revisionsOf(owners, podName);
  if (own === undefined || before === undefined) return null;
  const [found] = conclusion(own, before, owners.pods);
  if (found?.rule === "crashes-before-revision")
    return `before revision ${own.number}: pods of revision ${before.number} crash too`;
  const changes = changesOf(own, before).replaceAll(/(?<=image )\S*\//g, "");
  const age = own.createdAtMs === null ? [] : [`${ageIn(atMs - own.createdAtMs)} ago`];
  const revision = `revision ${own.number} (${[changes, ...age].join(", ")})`;
  const hasCrashed = restartsIn(podsOf(own, owners.pods)) > 0;
  if (found !== undefined)
    return `${revision}; revision ${before.number} ${hasCrashed ? "does not crash" : "is running"}`;
  const isReplaced = hasCrashed && podsOf(before, owners.pods).length === 0;
  return isReplaced ? `perhaps ${revision}; no pod of revision ${before.number} is left to compare` : null;
}

function describe(own: RevisionSnapshot, all: readonly OwnedPod[], atMs: number, other?: RevisionSnapshot): string {
  const age = own.createdAtMs === null ? [] : [`${ageIn(atMs - own.createdAtMs)} old`];
  const pods = podsOf(own, all);
  const restarts = `${countOf(restartsIn(pods), "restart")} in ${countOf(pods.length, "pod")}`;
  return [changesOf(own, other), ...age, pods.length === 0 ? "no pods" : restarts].join(", ");
}

const MOST_SETTINGS = 3;

/** Lists the images that only the first template has, then up to three settings in which both templates differ. */
function changesOf({ images, settings }: RevisionSnapshot, other?: RevisionSnapshot): string {
  const isNamed = images.length > 1;
  const isShared = (own: { container: string; image: string }): boolean =>
    other?.images.some(({ container, image }) => container === own.container && image === own.image) === true;
  const changed = images
    .filter((image) => !isShared(image))
    .map(({ container, image }) => `image ${image}${isNamed ? ` of ${container}` : ""}`);
  const names = other === undefined ? [] : [...new Set([...settings.keys(), ...other.settings.keys()])];
  const differing = names
    .filter((name) => settings.get(name) !== other?.settings.get(name))
    .map((name) => (isNamed ? name : name.replace(/ of \S+$/, "")));
  const more = differing.length > MOST_SETTINGS ? [`${differing.length - MOST_SETTINGS} more`] : [];
  const listed = [...differing.slice(0, MOST_SETTINGS), ...more].join(" and ").replaceAll(/ and (?=.* and )/g, ", ");
  const all = [...changed, ...(listed === "" ? [] : [`changed ${listed}`])];
  return all.length === 0 ? "the same template" : all.join(", ");
}

function conclusion(own: RevisionSnapshot, before: RevisionSnapshot, pods: readonly OwnedPod[]): Evidence[] {
  const [newer, older] = [podsOf(own, pods), podsOf(before, pods)];
  if ((restartsIn(newer) === 0 && newer.some(({ isReady }) => isReady)) || older.length === 0) return [];
  if (restartsIn(older) > 0) {
    const text = `pods of revision ${before.number} crash too, so revision ${own.number} did not start it`;
    return [concluded("crashes-before-revision", text)];
  }
  if (!older.some(({ isReady }) => isReady)) return [];
  const began = own.number === before.number + 1 ? `with revision ${own.number}` : `after revision ${before.number}`;
  const what = restartsIn(newer) === 0 ? "the failed starts" : "the crashes";
  return [concluded("crashes-since-revision", `${what} began ${began}; pods of revision ${before.number} are stable`)];
}

function podsOf({ name }: RevisionSnapshot, pods: readonly OwnedPod[]): readonly OwnedPod[] {
  return pods.filter(({ revision }) => revision === name);
}

function restartsIn(pods: readonly OwnedPod[]): number {
  return pods.reduce((sum, { restarts }) => sum + restarts, 0);
}
