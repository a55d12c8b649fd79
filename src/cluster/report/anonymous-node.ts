import type { EventSnapshot, NodeSnapshot } from "../../explain/observed/observation.ts";
import { anonymousConditions } from "./anonymous-conditions.ts";
import { anonymousMessage } from "./known-messages.ts";
import { anonymousReason } from "./known-reasons.ts";
import { madeUpUid, type NameBook } from "./name-book.ts";

/** An event about a pod or a node. */
export function anonymousEvent(event: EventSnapshot, book: NameBook): EventSnapshot {
  return {
    name: book.replace("event", event.name),
    type: event.type,
    reason: anonymousReason(event.reason, book),
    message: anonymousMessage(event.message, book),
    container: book.replaceIfAny("container", event.container),
    createdAtMs: event.createdAtMs,
    count: event.count,
    firstAtMs: event.firstAtMs,
    lastAtMs: event.lastAtMs,
  };
}

/** A version as kubelets have it; a vendor's suffix belongs to it. */
const VERSION = /^v?\d{1,4}\.\d{1,4}(\.\d{1,4})?([-+.][\w.+-]{1,60})?$/;

/** A node: only whether it is ready, and its kubelet's version. */
export function anonymousNode(node: NodeSnapshot, book: NameBook): NodeSnapshot {
  const { kubeletVersion } = node;
  return {
    name: book.replace("node", node.name),
    uid: book.replaceIfAny("uid", node.uid, madeUpUid),
    kubeletVersion: kubeletVersion !== null && VERSION.test(kubeletVersion) ? kubeletVersion : null,
    conditions: anonymousConditions(
      node.conditions.filter(({ type }) => type === "Ready"),
      book,
    ),
  };
}
