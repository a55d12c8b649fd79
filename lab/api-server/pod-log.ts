import type { Raw } from "./container-statuses.ts";
import { type FixedAnswer, type Refusal, refusal } from "./status-answers.ts";

interface Ended {
  readonly terminated?: { readonly containerID?: string };
}

interface Status {
  readonly name: string;
  readonly containerID?: string;
  readonly state?: Ended & { readonly running?: object; readonly waiting?: { readonly reason?: string } };
  readonly lastState?: Ended;
}

/** The answer to GET pods/NAME/log. `logs`: what instances have printed, by their containerID. */
export function answerLog(
  pod: Raw,
  query: URLSearchParams,
  logs: Readonly<Record<string, string>>,
): Refusal | FixedAnswer {
  const { initContainerStatuses = [], containerStatuses = [] } = (pod["status"] ?? {}) as Record<string, Status[]>;
  const podName = String((pod["metadata"] as Raw)["name"]);
  const name = query.get("container") ?? containerStatuses[0]?.name;
  const status = [...initContainerStatuses, ...containerStatuses].find((candidate) => candidate.name === name);
  if (status === undefined) return refusal(400, `container ${name} is not valid for pod ${podName}`);
  const isPrevious = query.get("previous") === "true";
  const id = isPrevious ? status.lastState?.terminated?.containerID : instanceOf(status);
  if (id === undefined) {
    const [why, which] = isPrevious
      ? ["not found", "previous terminated container"]
      : ["is waiting to start", "container"];
    return refusal(400, `${which} "${name}" in pod "${podName}" ${why}`);
  }
  const text = logs[id] ?? "";
  return { status: 200, fixed: { text: limited(text, query), type: "text/plain" } };
}

/** Mirrors `validateContainerLogStatus` without `previous` (kubernetes v1.37.1, pkg/kubelet/kubelet_pods.go). */
function instanceOf({ state, lastState, containerID }: Status): string | undefined {
  if (state?.running !== undefined) return containerID;
  return state?.terminated?.containerID ?? lastState?.terminated?.containerID;
}

/** The limit of bytes counts from the first of the last lines, and so cuts off their end. */
function limited(text: string, query: URLSearchParams): string {
  const lines = text.split(/(?<=\n)/);
  const tail = Number(query.get("tailLines") ?? lines.length);
  const last = tail === 0 ? "" : lines.slice(-tail).join("");
  return Buffer.from(last)
    .subarray(0, Number(query.get("limitBytes") ?? last.length))
    .toString();
}
