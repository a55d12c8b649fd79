import type { ContainerState, ContainerStatus, TerminatedState } from "../explain/observed/observation.ts";
import { endsBeforeItBegins } from "./pod-shape.ts";
import { instantOf } from "./timestamp.ts";
import { at, countOf, integerOf, isObject, objectsOf, textOf } from "./untrusted.ts";

/** All container statuses of a pod's `status`, init containers first; one without a name says nothing and is left out. */
export function containerStatusesOf(status: unknown): readonly ContainerStatus[] {
  return ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"]
    .flatMap((field) => objectsOf(at(status, field)))
    .flatMap(containerStatusOf);
}

function containerStatusOf(raw: unknown): ContainerStatus[] {
  const name = textOf(at(raw, "name"));
  if (name === null) return [];
  const started = at(raw, "started");
  return [
    {
      name,
      restartCount: countOf(at(raw, "restartCount")) ?? 0,
      containerID: textOf(at(raw, "containerID")),
      imageID: textOf(at(raw, "imageID")),
      started: typeof started === "boolean" ? started : null,
      ready: at(raw, "ready") === true,
      state: stateOf(at(raw, "state")),
      lastState: terminatedOf(at(raw, "lastState", "terminated")),
    },
  ];
}

/** `{}` is no state: null, although the API's documentation calls it waiting. */
function stateOf(raw: unknown): ContainerState | null {
  const running = at(raw, "running");
  if (isObject(running)) return { kind: "running", startedAtMs: instantOf(at(running, "startedAt")) };
  const waiting = at(raw, "waiting");
  if (isObject(waiting)) {
    return { kind: "waiting", reason: textOf(at(waiting, "reason")), message: textOf(at(waiting, "message")) };
  }
  return terminatedOf(at(raw, "terminated"));
}

/**
 * The exit code falls back to 0 as in Go, where it is never left out; signal 0 is no signal. Of an instance that ended before
 * it began the end is believed: the wait counts from it.
 */
function terminatedOf(raw: unknown): TerminatedState | null {
  if (!isObject(raw)) return null;
  return {
    kind: "terminated",
    exitCode: integerOf(at(raw, "exitCode")) ?? 0,
    signal: integerOf(at(raw, "signal")) || null,
    reason: textOf(at(raw, "reason")),
    message: textOf(at(raw, "message")),
    startedAtMs: endsBeforeItBegins(raw) ? null : instantOf(at(raw, "startedAt")),
    finishedAtMs: instantOf(at(raw, "finishedAt")),
    containerID: textOf(at(raw, "containerID")),
  };
}
