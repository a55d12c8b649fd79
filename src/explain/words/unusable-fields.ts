import { excerpt } from "../answer/excerpt.ts";
import type { Gap } from "../answer/explanation.ts";
import type { PodObservation, Reading } from "../observed/observation.ts";

/** So many are named; whoever corrects those finds the others. */
const MOST_NAMED = 5;

/** A path can hold keys and names that somebody made up. */
const MOST_LENGTH = 100;

/** The gap that names what was present and could not be used; none if all could be. */
export function invalidFields(observed: PodObservation): Gap[] {
  const names = [...new Set(unusableOf(observed))];
  if (names.length === 0) return [];
  const named = names.slice(0, MOST_NAMED).map(cut).join(", ");
  const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : "";
  const message = `Of pod ${cut(observed.pod.name)} these could not be used, and count as not there: ${named}${more}.`;
  return [{ code: "invalid-fields", message }];
}

function unusableOf({ pod, earlier, events, node, nodeEvents, kubeletConfig, owners }: PodObservation): string[] {
  const inside = (whose: string, { unusable = [] }: Reading): string[] => unusable.map((path) => `${whose} ${path}`);
  return [
    ...(pod.unusable ?? []),
    ...earlier.flatMap(({ unusable = [] }) => unusable),
    ...events.flatMap((event) => inside(`event ${cut(event.name)}`, event)),
    ...(node === null ? [] : inside(`node ${node.name}`, node)),
    ...nodeEvents.flatMap((event) => inside(`event ${cut(event.name)}`, event)),
    ...(kubeletConfig === null ? [] : inside("kubelet configuration", kubeletConfig)),
    ...(owners?.unusable ?? []),
  ];
}

function cut(text: string): string {
  return excerpt(text, MOST_LENGTH);
}
