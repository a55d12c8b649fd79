import {
  type ContainerPlace,
  distinctQuantiles,
  type Eta,
  type EtaJob,
  type EtaQuantile,
} from "../../explain/answer/eta.ts";
import { formatPercent } from "../../explain/answer/prose.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { ofPodsThatMatch } from "../list/list-sentences.ts";
import { formatCountdownTo, formatElapsed } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import type { RenderOptions } from "../page/page.ts";
import { counted } from "../page/paint.ts";
import type { Times } from "../page/times.ts";

function nounOf({ total, pods }: Eta): string {
  return total === pods ? "pod" : "container";
}

export function countedOf(eta: Eta, count: number): string {
  return counted(count, nounOf(eta));
}

export interface EtaLook extends RenderOptions {
  /** The height of the terminal. If the page with the curve is higher, the program leaves out the curve. */
  readonly rows?: number | undefined;
  readonly isWide?: boolean;
  /** Whether containers may be missing from the estimate, because something could not be read. */
  readonly isIncomplete?: boolean;
  readonly selector?: string | undefined;
  /** Whether the command has already printed why there is nothing to wait for. */
  readonly isExplained?: boolean;
}

function nothingToWaitFor({ selector, isExplained = false }: Partial<EtaLook>): string {
  const why = isExplained ? "" : `: no containers${ofPodsThatMatch(selector)} are meant to be up`;
  return `There is nothing to wait for${why}.`;
}

export function etaHeadline(eta: Eta, times: Times, look: Partial<EtaLook> = {}): string {
  const { total, up, down, quantilesOfDown, failedJobs, waitingJobs } = eta;
  const [last] = down;
  const all = quantilesOfDown.at(-1);
  if (total === 0 && waitingJobs[0] !== undefined)
    return `No pod is meant to be up now. ${waitingJobWords(waitingJobs[0], eta, times)}`;
  if (total === 0 && failedJobs.length > 0) return "There is nothing to wait for: a failed Job creates no more pods.";
  if (total === 0) return nothingToWaitFor(look);
  if (up === total) return total === 1 ? `The ${nounOf(eta)} is up.` : `All ${countedOf(eta, total)} are up.`;
  if (last === undefined || all === undefined) return `${notUpWords(eta)}. No restart can be predicted.`;
  const where = `${nameIn(eta, last)}${last.node === null ? "" : ` on ${harmless(last.node)}`}`;
  const after = last.needs.map(({ service }) => `, after ${harmless(service)}`).join("");
  const delay = `${last.delayMs === null ? "" : `, ${formatBriefDuration(last.delayMs)} delay`}${after}`;
  const lastWords = `${times.instant(all.atMs)} (${countdownTo(eta, all)}; ${where}${delay})`;
  const isAll = down.length === total - up;
  if (down.length === 1) {
    const [those, it] = isAll ? ["it", "it"] : ["them", "the predictable one"];
    return `${notUpWords(eta)}. If what keeps ${those} down were fixed now, ${it} would be up at ${lastWords}.`;
  }
  const whom = isAll ? "them" : "the predictable ones";
  const shares = distinctQuantiles(eta).slice(0, -1);
  const steps = shares.map((one) => `${one.share === 0.5 ? `half of ${whom}` : formatPercent(one.share)}`);
  const lead = `${notUpWords(eta)}. If what keeps them down were fixed now,`;
  if (shares.length === 0) return `${lead} all of ${whom} would be up at ${lastWords}.`;
  const parts = shares.map(
    (one, index) => `${steps[index]}${index === 0 ? " would be up" : ""} ${countdownTo(eta, one)}`,
  );
  return `${lead} ${parts.join(", ")}, the last at ${lastWords}.`;
}

export function waitingJobWords({ namespace, name, atMs }: EtaJob, eta: Eta, times: Times): string {
  const [which, when] = [harmless(`${namespace}/job/${name}`), times.instant(atMs)];
  if (atMs < eta.atMs)
    return `${which} should have made another pod at ${when} (${formatElapsed(eta.atMs - atMs)} ago).`;
  return `${which} makes another pod at ${when} (${formatCountdownTo(atMs - eta.atMs)}).`;
}

function notUpWords(eta: Eta): string {
  const { total, up, down, overdue } = eta;
  const notUp = total - up;
  const counts = [
    { count: down.length, word: "predictable" },
    { count: overdue.length, word: "overdue" },
    { count: unknownCount(eta), word: "unknown" },
  ].filter(({ count }) => count > 0);
  const kinds = counts.length > 1 ? `: ${counts.map(({ count, word }) => `${count} ${word}`).join(", ")}` : "";
  if (total === 1) return `The ${nounOf(eta)} is not up`;
  if (up === 0) return `None of ${countedOf(eta, total)} is up${kinds}`;
  return `${notUp} of ${countedOf(eta, total)} ${notUp === 1 ? "is" : "are"} not up${kinds}`;
}

export function unknownCount({ unknown }: Eta): number {
  return unknown.reduce((sum, { places }) => sum + places.length, 0);
}

export function countdownTo({ atMs }: Eta, quantile: Pick<EtaQuantile, "atMs">): string {
  return formatCountdownTo(quantile.atMs - atMs);
}

export function nameIn({ down, total, pods }: Eta, { namespace, pod, container }: ContainerPlace): string {
  const isOne = down.every((other) => other.namespace === namespace);
  return harmless(`${isOne ? "" : `${namespace}/`}${pod}${total === pods ? "" : ` ${container}`}`);
}

export function assumptions({ down, needs }: Pick<Eta, "down" | "needs">): string[] {
  const own = "Each container that is down starts at its next restart and stays up; each one that runs stays up.";
  const isOrdered = needs.some(({ effect }) => effect === "waits");
  return [
    isOrdered
      ? `${own} One that starts before what its last output names is ready crashes again, after a run as long as its last one. ` +
        "A pod that others need is ready when it has started and the initial delay of its probes is over. Whatever else is " +
        "needed of other workloads is up by then."
      : `${own} ${needs.length === 0 ? "What" : "Whatever else"} it needs of other workloads is up by then.`,
    ...(down.some(({ waitsFor }) => waitsFor !== null) ? ["An init container that starts is done immediately."] : []),
  ];
}

export function assumptionWords(eta: Eta): string {
  return `Assumes: ${assumptions(eta).join(" ")}`;
}
