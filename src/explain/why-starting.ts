import { formatBriefDuration } from "../kubelet/go-duration.ts";
import { quoted } from "./excerpt.ts";
import type { ContainerFacts } from "./facts.ts";
import type { Findings } from "./findings.ts";

/** What keeps a container from its first start, or its next. */
export function whyStarting({ facts, imagePull, observed }: Findings): string {
  if (observed.pod.nodeName === null) return "The pod has no node yet, so no kubelet has it.";
  if (imagePull !== null) {
    const delay =
      imagePull.delayMs === null
        ? ""
        : ` The next one waits ${formatBriefDuration(imagePull.delayMs)} after the last that failed.`;
    return `Its image cannot be pulled${said(facts)} Pulls have a back-off of their own.${delay}`;
  }
  if (facts.waiting === "start-failure" || facts.waiting === "failed-start-with-exit") {
    const exits =
      facts.lastExit === null ? "" : " Each attempt also moves its restart back-off on, as it has run before.";
    return `It fails before a process exists${said(facts)} There is nothing to back off from: the kubelet tries again every 10 to 15 seconds.${exits}`;
  }
  return "It is about to start.";
}

/** The kubelet's own words about the failed step, which name what is missing. */
function said({ status }: ContainerFacts): string {
  const words = status?.state?.kind === "waiting" ? quoted(status.state.message ?? "") : "";
  return words === "" ? "." : `: ${words}.`;
}
