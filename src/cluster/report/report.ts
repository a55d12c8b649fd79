import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import { anonymousObservation } from "./anonymous-observation.ts";
import { anonymousUnusable } from "./anonymous-unusable.ts";
import { configObject, nodeEventObject, nodeObject, podEventObject } from "./event-object.ts";
import { NameBook } from "./name-book.ts";
import { ownAnnotations, ownerObjects, ownLabels } from "./owner-objects.ts";
import { podObject } from "./pod-object.ts";
import { headerObject, type ReportOrigin } from "./report-header.ts";

/** What a report has to say besides what was seen. */
export interface ReportRequest extends Omit<ReportOrigin, "atBasis"> {
  /** The flags that the explanation depends on. */
  readonly flags: readonly string[];
}

/**
 * A report: what was seen of one pod as the JSON of a List that `explain -f` explains the same way, with nothing in it that names anything:
 * written anew from the fields that the explanation reads, never by taking something out of the original.
 */
export function reportOf(
  observed: PodObservation,
  { atMs, atBasis }: Pick<Observation, "atMs" | "atBasis">,
  request: ReportRequest,
  book = new NameBook(),
): string {
  const made = anonymousObservation(observed, book);
  const { namespace, name } = made.pod;
  const { flags, ...origin } = request;
  const ownersMissing = made.owners?.missing ?? [];
  const unusable = anonymousUnusable(observed, book);
  const header = { atMs, pod: { namespace, name }, missing: made.missing, ownersMissing, unusable, flags };
  const items = [headerObject(header, { ...origin, atBasis }), ...objectsOf(made)];
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2)}\n`;
}

function objectsOf(made: PodObservation): object[] {
  const { pod, earlier, events, node, nodeEvents, kubeletConfig, owners } = made;
  const labels = owners === undefined ? {} : ownLabels(owners, pod.name);
  const annotations = owners === undefined ? undefined : ownAnnotations(owners, pod.name);
  const versions = [...earlier, pod].map((version, index) => {
    return podObject(version, {
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(annotations !== undefined && { annotations }),
      resourceVersion: String(index + 1),
    });
  });
  return [
    ...versions,
    ...events.map((event) => podEventObject(event, pod)),
    ...(node === null ? [] : [nodeObject(node)]),
    ...(pod.nodeName === null ? [] : nodeEvents.map((event) => nodeEventObject(event, pod.nodeName ?? ""))),
    ...(kubeletConfig === null ? [] : [configObject(kubeletConfig)]),
    ...(owners === undefined ? [] : ownerObjects(owners, pod)),
  ];
}
