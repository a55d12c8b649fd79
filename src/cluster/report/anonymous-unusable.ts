import type { OwnersObservation, PodObservation, Reading, WorkloadSnapshot } from "../../explain/observation.ts";
import type { Field } from "../objects/declaration.ts";
import { EVENT } from "../objects/event.ts";
import { KUBELET_CONFIG, NODE } from "../objects/node.ts";
import { POD } from "../objects/pod.ts";
import { WORKLOAD } from "../objects/workload.ts";
import { anonymousOwner, revisionName } from "./anonymous-names.ts";
import { anonymousPath } from "./anonymous-path.ts";
import type { NameBook } from "./name-book.ts";

/**
 * What was present and could not be used, each after whose it is, in the order and the words of the gap `invalid-fields`
 * (src/explain/unusable-fields.ts): a report has the objects as they were read, in which it is simply not there. The owners'
 * names have to be entered before (`enterOwners`).
 */
export function anonymousUnusable(observed: PodObservation, book: NameBook): string[] {
  const { pod, earlier, events, node, nodeEvents, kubeletConfig, owners } = observed;
  const inside = (whose: string, { unusable = [] }: Reading, { form }: Field<unknown>): string[] =>
    unusable.map((path) => `${whose}${anonymousPath(path, form, book)}`);
  const ofEvents = (of: PodObservation["events"]): string[] =>
    of.flatMap((event) =>
      event.unusable === undefined ? [] : inside(`event ${book.replace("event", event.name)} `, event, EVENT),
    );
  const found = [
    ...inside("", pod, POD),
    ...earlier.flatMap((version) => inside("", version, POD)),
    ...ofEvents(events),
    ...(node === null ? [] : inside(`node ${book.replace("node", node.name)} `, node, NODE)),
    ...ofEvents(nodeEvents),
    ...(kubeletConfig === null ? [] : inside("kubelet configuration ", kubeletConfig, KUBELET_CONFIG)),
    ...(owners?.unusable ?? []).map((told) => ofOwner(told, owners, book)),
  ];
  return [...new Set(found)];
}

/** "Deployment web spec.replicas": the name of one that was seen, or of a revision. */
function ofOwner(told: string, owners: OwnersObservation | undefined, book: NameBook): string {
  const { chain = [], workload = null } = owners ?? {};
  const known = [...chain, ...(workload === null ? [] : [workload])].find(({ kind, name }) => {
    return told.startsWith(`${kind} ${name} `);
  });
  if (known !== undefined) {
    const { kind, name } = anonymousOwner(known, book);
    return `${kind} ${name} ${anonymousPath(told.slice(`${known.kind} ${known.name} `.length), WORKLOAD.form, book)}`;
  }
  return ofRevision(told, workload, book);
}

function ofRevision(told: string, workload: WorkloadSnapshot | null, book: NameBook): string {
  const [, kind, name, path] = /^(ReplicaSet|ControllerRevision) (\S+) (.+)$/s.exec(told) ?? [];
  if (workload === null || name === undefined || path === undefined) return "an object above it";
  return `${kind} ${revisionName(name, workload, book)} ${anonymousPath(path, WORKLOAD.form, book)}`;
}
