import type { Gap } from "../../explain/answer/explanation.ts";

/** By the code of a gap: the objects that the input lacks, and what may go unnoticed without them. */
const ABSENT: Readonly<Record<string, { readonly what: string; readonly unnoticed: string | null }>> = {
  "events-not-in-input": { what: "the pod's events", unnoticed: "kills" },
  "node-not-in-input": { what: "the node", unnoticed: null },
  "node-events-not-in-input": { what: "the node's events", unnoticed: "kubelet restarts" },
  "node-config-not-in-input": { what: "the kubelet's configuration", unnoticed: null },
};

/** If the input lacks several kinds of objects, one sentence replaces the messages about them. */
export function gapTexts(gaps: readonly Gap[]): string[] {
  const absent = gaps.flatMap(({ code }) => ABSENT[code] ?? []);
  if (absent.length < 2) return gaps.map(({ message }) => message);
  const isWhole = absent.length === Object.keys(ABSENT).length;
  const what = isWhole
    ? "Only the pod was given"
    : `The input has neither ${absent.map((each) => each.what).join(" nor ")}`;
  const unnoticed = absent.flatMap((each) => each.unnoticed ?? []);
  const consequence = unnoticed.length === 0 ? "" : `, and ${unnoticed.join(" and ")} may go unnoticed`;
  const isAssumed = gaps.some(({ code }) => code === "node-not-in-input" || code === "node-config-not-in-input");
  const sentence = isAssumed
    ? `${what}: kubelet defaults are assumed${consequence}.`
    : `${what}: ${unnoticed.join(" and ")} may go unnoticed.`;
  const texts = gaps.map(({ code, message }) => (ABSENT[code] === undefined ? message : sentence));
  return [...new Set(texts)];
}
