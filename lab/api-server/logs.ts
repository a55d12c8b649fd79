import type { V1ContainerStatus, V1Pod } from "@kubernetes/client-node";
import { floorToSecond } from "../../src/kubelet/go-duration.ts";
import type { Client } from "./client.ts";
import type { Raw } from "./container-statuses.ts";
import { type Refusal, refusal } from "./status-answers.ts";

interface Written {
  /** RFC 3339 with nanoseconds. */
  readonly time: string;
  readonly text: string;
}

interface InstanceLog {
  readonly lines: Written[];
  isEnded: boolean;
  readonly followers: Set<Client>;
}

interface ReadLog {
  readonly text: string;
  readonly follow: ((client: Client) => () => void) | null;
}

interface LogQuery {
  readonly container: string;
  readonly isFollowing: boolean;
  readonly isPrevious: boolean;
  readonly hasTimestamps: boolean;
  /** Cut to the second, because the API server passes sinceTime to the kubelet in whole seconds. */
  readonly sinceMs: number;
  readonly tailLines: number;
  readonly limitBytes: number;
}

export class Logs {
  readonly #instances = new Map<string, InstanceLog>();
  #fraction = 0;

  write(containerID: string, text: string, atMs: number): void {
    this.#fraction = (this.#fraction + 1) % 1_000_000;
    const time = `${new Date(atMs).toISOString().slice(0, -1)}${`${this.#fraction}`.padStart(6, "0")}Z`;
    const line = { time, text };
    const instance = this.#instance(containerID);
    instance.lines.push(line);
    for (const follower of instance.followers) follower.send(`${time} ${text}`);
  }

  written(containerID: string): readonly string[] {
    return this.#instance(containerID).lines.map(({ text }) => text.trimEnd());
  }

  end(containerID: string): void {
    const instance = this.#instance(containerID);
    instance.isEnded = true;
    for (const follower of instance.followers) follower.end();
    instance.followers.clear();
  }

  drop(): void {
    for (const { followers } of this.#instances.values()) {
      for (const follower of followers) follower.drop();
      followers.clear();
    }
  }

  read(pod: Raw, query: LogQuery): Refusal | ReadLog {
    const id = instanceIn(statusIn(pod, query.container), query.isPrevious);
    if (id === undefined) return refusal(400, `container "${query.container}" is waiting to start`);
    const instance = this.#instance(id);
    const since = instance.lines.filter(({ time }) => Date.parse(time) >= query.sinceMs);
    const written = since.map((line) => (query.hasTimestamps ? `${line.time} ${line.text}` : line.text)).join("");
    const text = limited(written, query);
    const follow = (client: Client): (() => void) => {
      for (const line of linesIn(text)) client.send(line);
      if (instance.isEnded) client.end();
      else instance.followers.add(client);
      return () => void instance.followers.delete(client);
    };
    return { text, follow: query.isFollowing ? follow : null };
  }

  #instance(id: string): InstanceLog {
    const instance = this.#instances.get(id) ?? { lines: [], isEnded: false, followers: new Set<Client>() };
    this.#instances.set(id, instance);
    return instance;
  }
}

function statusIn(pod: V1Pod, container: string): V1ContainerStatus | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const name = container || containerStatuses[0]?.name;
  return [...initContainerStatuses, ...containerStatuses].find((status) => status.name === name);
}

/**
 * Chooses the instance whose log is read. See `validateContainerLogStatus` (kubernetes v1.37.1,
 * pkg/kubelet/kubelet_pods.go).
 */
function instanceIn(status: V1ContainerStatus | undefined, isPrevious: boolean): string | undefined {
  const last = status?.lastState?.terminated?.containerID;
  if (isPrevious) return last;
  if (status?.state?.running !== undefined) return status.containerID;
  return status?.state?.terminated?.containerID ?? last;
}

/** `limitBytes` counts from the first of the last `tailLines` lines, and so cuts off the end of the log. */
function limited(text: string, { tailLines, limitBytes }: LogQuery): string {
  const lines = linesIn(text);
  const last = lines.slice(Math.max(0, lines.length - tailLines)).join("");
  return Buffer.from(last).subarray(0, limitBytes).toString();
}

function linesIn(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== "");
}

export const LOG_TYPE = "text/plain";

export function logQueryOf(query: URLSearchParams): LogQuery {
  const isOn = (name: string): boolean => /^(1|true)$/.test(query.get(name) ?? "");
  return {
    container: query.get("container") ?? "",
    isFollowing: isOn("follow"),
    isPrevious: isOn("previous"),
    hasTimestamps: isOn("timestamps"),
    tailLines: Number(query.get("tailLines") ?? Number.POSITIVE_INFINITY),
    limitBytes: Number(query.get("limitBytes") ?? Number.POSITIVE_INFINITY),
    sinceMs: floorToSecond(Date.parse(query.get("sinceTime") ?? "1970-01-01T00:00:00Z")),
  };
}
