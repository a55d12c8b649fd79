import type { Condition } from "../../explain/observed/observation.ts";
import { anonymousMessage } from "./known-messages.ts";
import { anonymousReason } from "./known-reasons.ts";
import type { NameBook } from "./name-book.ts";

/** The types of conditions that Kubernetes itself sets; others are somebody's own and bear on nothing. */
const CONDITION_TYPES: readonly string[] = [
  ...["Ready", "ContainersReady", "Initialized", "PodScheduled", "PodReadyToStartContainers", "DisruptionTarget"],
  ...["AllContainersRestarting", "Progressing", "Available", "ReplicaFailure", "Complete", "Failed", "Suspended"],
];

/** Kubernetes' own conditions without what else was written into them. */
export function anonymousConditions(conditions: readonly Condition[], book: NameBook): readonly Condition[] {
  return conditions
    .filter(({ type }) => CONDITION_TYPES.includes(type))
    .map(({ type, status, reason, message, lastTransitionAtMs }) => ({
      type,
      status,
      reason: anonymousReasonOf(reason, book),
      message: anonymousMessageOf(message, book),
      lastTransitionAtMs,
    }));
}

/** A reason that may be missing, which it then stays. */
export function anonymousReasonOf(reason: string | null, book: NameBook): string | null {
  return reason === null ? null : anonymousReason(reason, book);
}

/** The same of a message. */
export function anonymousMessageOf(message: string | null, book: NameBook): string | null {
  return message === null ? null : anonymousMessage(message, book);
}
