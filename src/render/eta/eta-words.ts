import type { ContainerPlace, Eta, EtaQuantile, EtaUnknown } from "../../explain/answer/eta.ts";
import type { EtaCount, EtaOutcome } from "../../explain/follow/eta-progress.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatCountdownTo } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import { counted } from "../page/paint.ts";
import type { Times } from "../page/times.ts";

/** Returns "3 pods" if each pod has one container. If not, returns "3 containers". */
function countedOf({ total, pods }: Eta, count: number): string {
  return counted(count, total === pods ? "pod" : "container");
}

/** Returns when half, 95% and all of the containers that are down would be up again, or that no container is down. */
export function headline(eta: Eta, times: Times): string {
  const { total, up, down, quantilesOfDown } = eta;
  const [last] = down;
  const [half, , most, all] = quantilesOfDown;
  if (total === 0) return "There is nothing to wait for: no containers are meant to be up.";
  if (up === total) return `${allWords(eta, "up")}.`;
  if (last === undefined || half === undefined || most === undefined || all === undefined) {
    return `${up} of ${countedOf(eta, total)} are up; the restart of the other ${total - up} can't be predicted.`;
  }
  const where = `${nameIn(eta, last)}${last.node === null ? "" : ` on ${harmless(last.node)}`}`;
  const delay = last.delayMs === null ? "" : `, ${formatBriefDuration(last.delayMs)} delay`;
  const lastWords = `${times.instant(all.atMs)} (${inWords(eta, all)}; ${where}${delay})`;
  const lead = `${downOf(eta)}. If the cause were fixed now,`;
  if (down.length === 1) return `${lead} it would be up at ${lastWords}.`;
  return `${lead} half of them would be up ${inWords(eta, half)}, 95% ${inWords(eta, most)}, the last at ${lastWords}.`;
}

function downOf(eta: Eta): string {
  const { total, down } = eta;
  if (down.length === total) return allWords(eta, "down");
  return `${down.length} of ${countedOf(eta, total)} ${down.length === 1 ? "is" : "are"} down`;
}

function allWords(eta: Eta, state: "up" | "down"): string {
  const { total } = eta;
  return total === 1 ? `The ${countedOf(eta, 1).slice(2)} is ${state}` : `All ${countedOf(eta, total)} are ${state}`;
}

export function inWords({ atMs }: Eta, quantile: Pick<EtaQuantile, "atMs">): string {
  return formatCountdownTo(quantile.atMs - atMs);
}

/** Names a container's pod, with its namespace if there are several, and with the container if pods have several. */
function nameIn({ down, total, pods }: Eta, { namespace, pod, container }: ContainerPlace): string {
  const isOne = down.every((other) => other.namespace === namespace);
  return harmless(`${isOne ? "" : `${namespace}/`}${pod}${total === pods ? "" : ` ${container}`}`);
}

const MOST_NAMED = 3;

function named(eta: Eta, places: readonly ContainerPlace[], count = places.length): string {
  const names = places.slice(0, MOST_NAMED).map((place) => nameIn(eta, place));
  return [...names, ...(count > names.length ? [`and ${count - names.length} more`] : [])].join(", ");
}

const UNKNOWN: Readonly<Record<EtaUnknown["reason"], string>> = {
  unscheduled: "not scheduled to any node",
  "node-not-ready": "on a node that is NotReady",
  "held-up": "held up by a volume, the network or a device",
  "init-running": "waiting for an init container that is running",
  starting: "starting",
  "stays-down": "failed, and will not restart",
  "no-data": "down, without enough data to predict the restart",
};

/** Returns sentences about the containers that the estimate leaves out, and about those that run but are not Ready. */
export function setApart(eta: Eta, times: Times): string[] {
  const { overdue, unknown, notReady } = eta;
  const [first] = overdue;
  const isLate = first !== undefined && first.overdue !== null;
  const since = isLate ? times.instant(first.overdue.expectedByMs) : "";
  const place = first ?? unknown[0]?.examples[0];
  return [
    ...(isLate ? [`Not counted: ${overdue.length} overdue since ${since} or later: ${named(eta, overdue)}.`] : []),
    ...unknown.map(({ reason, count, examples }) => {
      return `Not counted: ${count} ${UNKNOWN[reason]}: ${named(eta, examples, count)}.`;
    }),
    ...(place === undefined ? [] : [`To see why: kubectl backoff explain ${argumentsFor(place)}`]),
    ...(notReady.length === 0 ? [] : [`Counted as up, but not Ready: ${named(eta, notReady)}.`]),
  ];
}

/** Returns sentences about the containers that start last, and about what would be faster than waiting for them. */
export function fasterWords(eta: Eta, times: Times): string[] {
  const { bottleneck, faster, quantilesOfDown } = eta;
  const all = quantilesOfDown.at(-1);
  const { deletion, rollout } = faster;
  const lines = bottleneck === null ? [] : [harmless(bottleneck.sentence)];
  if (deletion !== null && all !== undefined) {
    const { pods, others } = deletion;
    const which =
      pods.length === 1 ? "the pod with the longest wait" : `the ${pods.length} pods with the longest waits`;
    const outcome = `the last of the others is up ${inWords(eta, others)} (${times.instant(others.atMs)}) instead of ${inWords(eta, all).replace("in ", "")}`;
    lines.push(
      `Deleting ${which} is faster: fresh pods start without delay, and ${outcome}. It changes the cluster${deleteCommand(pods)}.`,
    );
  }
  if (rollout !== null) lines.push(rolloutWords(eta, rollout));
  return lines;
}

const MOST_IN_COMMAND = 3;

function deleteCommand(pods: readonly Pick<ContainerPlace, "namespace" | "pod">[]): string {
  const [first] = pods;
  const names = pods.map(({ pod }) => pod);
  const isOne = pods.every(({ namespace }) => namespace === first?.namespace);
  const isShort = first !== undefined && isOne && names.length <= MOST_IN_COMMAND;
  if (!isShort || !isForShell(first.namespace, ...names)) return "; -o json names the pods";
  return `: kubectl delete pod ${names.join(" ")} -n ${first.namespace}`;
}

function argumentsFor({ pod, namespace }: ContainerPlace): string {
  return isForShell(pod, namespace) ? `${pod} -n ${namespace}` : "POD";
}

/** Whether the names need no quotes in a shell. Names in Kubernetes never need them; names in a file may. */
function isForShell(...names: readonly string[]): boolean {
  return names.every((name) => /^[a-z0-9][a-z0-9.-]*$/.test(name));
}

function rolloutWords(eta: Eta, { containers, owners }: NonNullable<Eta["faster"]["rollout"]>): string {
  const [first] = owners;
  const owner = first === undefined ? "" : harmless(`${first.kind} ${first.namespace}/${first.name}`);
  const whose = owners.length === 1 ? owner : `${owner} and ${owners.length - 1} more`;
  return (
    `If the fix is a new pod template, these waits don't matter: its rollout replaces ${countedOf(eta, containers)} ` +
    `(${whose}) with fresh ones, which start without delay.`
  );
}

export function assumptions({ down }: Pick<Eta, "down">): string[] {
  return [
    "Each container that is down starts at its next restart and stays up; each one that runs stays up.",
    ...(down.some(({ waitsFor }) => waitsFor !== null) ? ["An init container that starts is done immediately."] : []),
  ];
}

export function assumptionWords(eta: Eta): string {
  return `Assumes: ${assumptions(eta).join(" ")}`;
}

export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Compares the progress with the estimate: "42 of 300 are up again after 35s; announced by now: 38." */
export function countLine({ atMs }: Eta, { announced, up, expected, downAgain }: EtaCount, nowMs: number): string {
  const crashed = downAgain === 0 ? "" : ` ${downAgain} of them crashed again: the cause is not fixed for those.`;
  const after = formatBriefDuration(Math.max(0, Math.round((nowMs - atMs) / 1000) * 1000));
  return `${up} of ${announced} are up again after ${after}; announced by now: ${Math.round(expected)}.${crashed}`;
}

/** Compares an announced time with the actual one: "50% up at 14:04:38 UTC, 3s before the announced 14:04:41 UTC …". */
export function outcomeLine({ announced, cameAtMs }: EtaOutcome, times: Times): string {
  const offMs = Math.round((cameAtMs - announced.atMs) / 1000) * 1000;
  const off = offMs === 0 ? "as" : `${formatBriefDuration(Math.abs(offMs))} ${offMs < 0 ? "before" : "after"} the`;
  const limit = cameAtMs <= announced.likelyByMs ? "within" : "after";
  return (
    `${formatPercent(announced.share)} up at ${times.instant(cameAtMs)}, ${off} announced ` +
    `${offMs === 0 ? "" : `${times.instant(announced.atMs)} `}(${limit} its 95% limit, ${times.instant(announced.likelyByMs)}).`
  );
}

export function verdictLine({ reached }: EtaCount): string {
  const kept = reached.filter(({ announced, cameAtMs }) => cameAtMs <= announced.likelyByMs).length;
  return reached.length === 0
    ? "Nothing that was announced has come yet."
    : `${kept} of ${reached.length} announced times were kept.`;
}
