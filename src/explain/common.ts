import { ceilToSecond, formatBriefDuration } from "../kubelet/go-duration.ts";
import type { BackoffList, Common, ListItem, NotReadyPod, SharedThing } from "./answer/backoff-list.ts";
import { joinedWords, type Prose, prose } from "./answer/prose.ts";
import { LINK_KINDS, type Link, linksOf, TIMELESS } from "./common-links.ts";
import { whichNodes } from "./common-node.ts";
import { distinct, podKey, podKeyOf, workloadKey } from "./observed/lookups.ts";

export function withCommon(list: BackoffList): BackoffList {
  const workloads = workloadsOf(list.items);
  const causes = [...whoElse(workloads, list.notReady), ...whichNodes(list)];
  return { ...list, common: [...causes, ...atOneTime(workloads, causes)] };
}

interface FailingWorkload {
  readonly namespace: string;
  readonly name: string;
  readonly items: readonly ListItem[];
  /** The earliest `failingSince` of the containers. Null if unknown, or if the earliest is only an upper bound. */
  readonly sinceMs: number | null;
  readonly isInferred: boolean;
}

interface Sharing {
  readonly link: Link;
  readonly workloads: readonly FailingWorkload[];
}

/** Assumed: failures with one cause begin within this time. */
const BEGAN_TOGETHER_MS = 120_000;
const MOST_SENTENCES = 3;

export function whoElse(workloads: readonly FailingWorkload[], notReady: readonly NotReadyPod[] = []): Common[] {
  const found = sharings(workloads);
  const chosen: Sharing[] = [];
  for (const sharing of found) {
    const isKnown = chosen.some((other) => sharing.workloads.every((workload) => other.workloads.includes(workload)));
    if (!isKnown) chosen.push(sharing);
  }
  return chosen.slice(0, MOST_SENTENCES).map(({ link, workloads: those }) => ({
    sentence: prose`${sentenceOf(link, those)}${failingHosts(link, those, workloads, notReady)}`,
    pods: podsOf(those),
    what: whatOf(those, found),
  }));
}

export function workloadsOf(items: readonly ListItem[]): FailingWorkload[] {
  return [...Map.groupBy(items, workloadKey).values()].flatMap((own): FailingWorkload[] => {
    const [first] = own;
    if (first === undefined) return [];
    const name = first.workload?.name ?? first.pod;
    const since = own.flatMap(({ failingSince }) => failingSince ?? []).toSorted((a, b) => a.atMs - b.atMs)[0];
    const sinceMs = since === undefined || since.isUpperBound === true ? null : since.atMs;
    return [{ namespace: first.namespace, name, items: own, sinceMs, isInferred: since?.basis === "inferred" }];
  });
}

function sharings(workloads: readonly FailingWorkload[]): Sharing[] {
  const links = workloads.flatMap((workload) => workload.items.flatMap(linksOf).map((link) => ({ link, workload })));
  const found = [...Map.groupBy(links, ({ link }) => `${link.kind} ${link.key}`).values()].flatMap((same) => {
    const those = [...new Set(same.map(({ workload }) => workload))];
    return same.slice(0, 1).map(({ link }): Sharing => {
      const isVaried = same.some((other) => other.link.words !== link.words);
      const words = (isVaried ? link.wordsIfVaried : undefined) ?? link.words;
      return { link: { ...link, words }, workloads: together(link, those) };
    });
  });
  const rank = ({ link }: Sharing): number => LINK_KINDS.indexOf(link.kind);
  return found
    .filter((sharing) => sharing.workloads.length > 1)
    .sort((a, b) => rank(a) - rank(b) || b.workloads.length - a.workloads.length);
}

function together({ kind }: Link, workloads: readonly FailingWorkload[]): FailingWorkload[] {
  const unknown = TIMELESS.includes(kind) ? workloads.filter(({ sinceMs }) => sinceMs === null) : [];
  return [...beganTogether(workloads), ...unknown];
}

function beganTogether(workloads: readonly FailingWorkload[]): FailingWorkload[] {
  const beganMs = ({ sinceMs }: FailingWorkload): number => sinceMs ?? Number.NaN;
  const known = workloads.filter(({ sinceMs }) => sinceMs !== null).toSorted((a, b) => beganMs(a) - beganMs(b));
  let [from, largest] = [0, [0, 0] as readonly [number, number]];
  for (const [index, workload] of known.entries()) {
    while (beganMs(workload) - beganMs(known[from] ?? workload) > BEGAN_TOGETHER_MS) from++;
    if (index + 1 - from > largest[1] - largest[0]) largest = [from, index + 1];
  }
  const those = new Set(known.slice(...largest));
  return workloads.filter((workload) => those.has(workload));
}

const LEAST_AT_ONE_TIME = 4;

export function atOneTime(workloads: readonly FailingWorkload[], causes: readonly Common[]): Common[] {
  const those = beganTogether(workloads);
  const began = beginning(those);
  if (those.length < LEAST_AT_ONE_TIME || those.length <= workloads.length / 2 || began === null) return [];
  const pods = podsOf(those);
  const isSaidOf = ({ pods: others }: Common): boolean => {
    const said = new Set(others.map(podKey));
    return pods.every((pod) => said.has(podKey(pod)));
  };
  if (causes.some(isSaidOf)) return [];
  const sentence = prose`${subjectOf(those)} ${began}; look for what was released or changed then`;
  return [{ sentence, pods, what: ["time"] }];
}

function whatOf(workloads: readonly FailingWorkload[], found: readonly Sharing[]): SharedThing[] {
  const isSame = ({ workloads: others }: Sharing): boolean =>
    others.length === workloads.length && others.every((one) => workloads.includes(one));
  return [...new Set(found.filter(isSame).map(({ link }) => link.kind))];
}

function subjectOf(workloads: readonly FailingWorkload[]): string {
  const nodes = [...new Set(workloads.flatMap(({ items }) => items.flatMap(({ node }) => node ?? [])))];
  const where = nodes.length === 0 ? "" : nodes.length === 1 ? ` on ${nodes[0]}` : ` on ${nodes.length} nodes`;
  return `${namesOf(workloads)} (${podsOf(workloads).length} pods${where})`;
}

function sentenceOf({ words }: Link, workloads: readonly FailingWorkload[]): Prose {
  const subject = subjectOf(workloads);
  const all = workloads.length === 2 ? "both" : "all";
  const began = beginning(workloads);
  return began === null ? `${subject} ${all} ${words}` : prose`${subject} ${began}; ${all} ${words}`;
}

/** Assumes that a Service has the name of its workload. */
function failingHosts(
  { hosts = [] }: Link,
  those: readonly FailingWorkload[],
  all: readonly FailingWorkload[],
  notReady: readonly NotReadyPod[],
): string {
  const names = new Set(hosts.map((host) => host.replace(/:\d+$/, "")));
  const namespaces = new Set(those.map(({ namespace }) => namespace));
  const isNamed = ({ namespace, name }: NamedWorkload): boolean => {
    const inSame = namespaces.size === 1 && namespaces.has(namespace) ? [name] : [];
    const forms = [...inSame, ...["", ".svc", ".svc.cluster.local"].map((end) => `${name}.${namespace}${end}`)];
    return forms.some((form) => names.has(form));
  };
  const failing = all.filter((workload) => isNamed(workload) && !those.includes(workload));
  const others = notReady.map(({ namespace, pod, workload }) => ({ namespace, name: workload?.name ?? pod }));
  const waiting = distinct(others.filter(isNamed));
  const clauses = [
    ...(failing.length === 0 ? [] : [`${namesOf(failing)} ${failing.length === 1 ? "fails" : "fail"}, too`]),
    ...(waiting.length === 0 ? [] : [`${namesOf(waiting)} ${waiting.length === 1 ? "is" : "are"} not Ready`]),
  ];
  return clauses.length === 0 ? "" : ` (${clauses.join("; ")})`;
}

function beginning(workloads: readonly FailingWorkload[]): Prose | null {
  const instants = workloads.flatMap(({ sinceMs }) => sinceMs ?? []).toSorted((a, b) => a - b);
  const [fromMs = 0] = instants;
  const spanMs = (instants.at(-1) ?? 0) - fromMs;
  if (instants.length < workloads.length) return null;
  const within = spanMs < 1_000 ? "at" : `within ${formatBriefDuration(ceilToSecond(spanMs))} of`;
  const basis = workloads.some(({ isInferred }) => isInferred) ? " (inferred)" : "";
  return prose`began ${within} ${{ atMs: fromMs }}${basis}`;
}

const MOST_NAMES = 4;

export function byName(a: NamedWorkload, b: NamedWorkload): number {
  const [left, right] = [`${a.name}/${a.namespace}`, `${b.name}/${b.namespace}`];
  return left < right ? -1 : Number(left > right);
}

type NamedWorkload = Pick<FailingWorkload, "namespace" | "name">;

export function namesOf(workloads: readonly NamedWorkload[]): string {
  const areOfOne = new Set(workloads.map(({ namespace }) => namespace)).size === 1;
  const names = workloads.map(({ namespace, name }) => (areOfOne ? name : `${namespace}/${name}`)).toSorted();
  return joinedWords(names, "and", MOST_NAMES);
}

function podsOf(workloads: readonly FailingWorkload[]): { namespace: string; name: string }[] {
  const items = workloads.flatMap((workload) => workload.items);
  return [...new Map(items.map((item) => [podKeyOf(item), { namespace: item.namespace, name: item.pod }])).values()];
}
