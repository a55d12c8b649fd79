import type { Gap, PolicyExplanation } from "../../explain/answer/explanation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";

const ABSENT: Readonly<Record<string, { readonly what: string; readonly unnoticed: string | null }>> = {
  "events-not-in-input": { what: "the pod's events", unnoticed: "kills" },
  "node-not-in-input": { what: "the node", unnoticed: null },
  "node-events-not-in-input": { what: "the node's events", unnoticed: "kubelet restarts" },
  "node-config-not-in-input": { what: "the kubelet's configuration", unnoticed: null },
};

export function gapTexts(gaps: readonly Gap[], policy: PolicyExplanation): string[] {
  const absent = gaps.flatMap(({ code }) => ABSENT[code] ?? []);
  if (absent.length < 2) return gaps.map(({ message }) => message);
  const isWhole = absent.length === Object.keys(ABSENT).length;
  const what = isWhole
    ? "Only the pod was given"
    : `The input has neither ${absent.map((each) => each.what).join(" nor ")}`;
  const unnoticed = absent.flatMap((each) => each.unnoticed ?? []);
  const consequences = [
    assumption(policy, new Set(gaps.map(({ code }) => code))),
    unnoticed.length === 0 ? "" : `${unnoticed.join(" and ")} may go unnoticed`,
  ].filter((each) => each !== "");
  const sentence = `${what}${consequences.length === 0 ? "" : `: ${consequences.join(", and ")}`}.`;
  const texts = gaps.map(({ code, message }) => (ABSENT[code] === undefined ? message : sentence));
  return [...new Set(texts)];
}

function assumption({ isInferred, isKubeadm, basis, ...curve }: PolicyExplanation, gaps: ReadonlySet<string>): string {
  if (!gaps.has("node-config-not-in-input"))
    return gaps.has("node-not-in-input") ? "the kubelet's version is assumed" : "";
  if (isInferred === true) {
    const waits = `${formatBriefDuration(curve.initialMs)}, doubling to ${formatBriefDuration(curve.maxMs)}`;
    return `a back-off of ${waits} is assumed, which fits the pod's waits`;
  }
  if (isKubeadm === true) return "kubeadm's configuration of the cluster is assumed";
  return basis === "flag" ? "" : "kubelet defaults are assumed";
}
