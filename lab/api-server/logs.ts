import type { ServerResponse } from "node:http";
import type { Raw } from "./container-statuses.ts";
import { type Refusal, refusal } from "./status-answers.ts";

/** One line as a container runtime writes it down. */
interface Written {
  /** RFC 3339 with nanoseconds, as the kubelet prints it. */
  readonly time: string;
  readonly text: string;
}

/** The log of one instance of a container. */
interface InstanceLog {
  readonly lines: Written[];
  isEnded: boolean;
  readonly followers: Set<Follower>;
}

/** Somebody who follows a log. */
interface Follower {
  send(text: string): void;
  end(): void;
  /** The connection breaks. */
  drop(): void;
}

/** What is asked for of a log. */
interface LogQuery {
  readonly container: string;
  readonly isFollowing: boolean;
  readonly isPrevious: boolean;
  readonly hasTimestamps: boolean;
  /** Whole seconds, as the API server hands it to the kubelet. */
  readonly sinceMs: number;
}

/** The logs of the instances of containers, by their ID: as kubelets keep and serve them (kubernetes v1.37.1, pkg/kubelet/kubelet_pods.go). */
export class Logs {
  readonly #instances = new Map<string, InstanceLog>();
  #fraction = 0;

  /** A container writes a line at this moment; without an ending "\n" it is the beginning of one. */
  write(containerID: string, text: string, atMs: number): void {
    // No two lines have the same nanosecond.
    this.#fraction = (this.#fraction + 1) % 1_000_000;
    const time = `${new Date(atMs).toISOString().slice(0, -1)}${`${this.#fraction}`.padStart(6, "0")}Z`;
    const line = { time, text };
    const instance = this.#instance(containerID);
    instance.lines.push(line);
    for (const follower of instance.followers) follower.send(`${time} ${text}`);
  }

  /** What an instance has written. */
  written(containerID: string): readonly string[] {
    return this.#instance(containerID).lines.map(({ text }) => text.trimEnd());
  }

  /** The instance writes no more. */
  end(containerID: string): void {
    const instance = this.#instance(containerID);
    instance.isEnded = true;
    for (const follower of instance.followers) follower.end();
    instance.followers.clear();
  }

  /** Breaks every connection over which a log is followed. */
  drop(): void {
    for (const { followers } of this.#instances.values()) {
      for (const follower of followers) follower.drop();
      followers.clear();
    }
  }

  /** Hands over what there is; the result, for a log that goes on, ends the following. A refusal where the kubelet has none. */
  serve(pod: Raw, query: LogQuery, follower: Follower): Refusal | (() => void) {
    const id = instanceIn(pod, query);
    if (id === null) return refusal(400, `container "${query.container}" is waiting to start`);
    const instance = this.#instance(id);
    const since = instance.lines.filter(({ time }) => Date.parse(time) >= query.sinceMs);
    for (const { time, text } of since) follower.send(query.hasTimestamps ? `${time} ${text}` : text);
    if (!query.isFollowing || instance.isEnded) follower.end();
    else instance.followers.add(follower);
    return () => void instance.followers.delete(follower);
  }

  #instance(id: string): InstanceLog {
    const instance = this.#instances.get(id) ?? { lines: [], isEnded: false, followers: new Set<Follower>() };
    this.#instances.set(id, instance);
    return instance;
  }
}

/** Mirrors `validateContainerLogStatus`: which instance is meant. */
function instanceIn(pod: Raw, { container, isPrevious }: LogQuery): string | null {
  const statuses = ((pod["status"] as Raw | undefined)?.["containerStatuses"] ?? []) as readonly Raw[];
  const status = statuses.find(({ name }) => name === container) ?? {};
  const state = (status["state"] ?? {}) as Readonly<Record<string, Raw>>;
  const last = (status["lastState"] as Readonly<Record<string, Raw>> | undefined)?.["terminated"]?.["containerID"];
  if (isPrevious) return (last as string | undefined) ?? null;
  if (state["running"] !== undefined) return String(status["containerID"]);
  return ((state["terminated"]?.["containerID"] ?? last) as string | undefined) ?? null;
}

/** The query of a request. */
export function logQueryOf(query: URLSearchParams): LogQuery {
  const isOn = (name: string): boolean => /^(1|true)$/.test(query.get(name) ?? "");
  return {
    container: query.get("container") ?? "",
    isFollowing: isOn("follow"),
    isPrevious: isOn("previous"),
    hasTimestamps: isOn("timestamps"),
    sinceMs: Math.floor(Date.parse(query.get("sinceTime") ?? "1970-01-01T00:00:00Z") / 1000) * 1000,
  };
}

/** An answer that follows a log. Like a kubelet's it has no beginning before there is a line. */
export function respondTo(response: ServerResponse): Follower {
  response.setHeader("Content-Type", "text/plain");
  return {
    send: (text) => void response.write(text),
    end: () => void response.end(),
    drop: () => void response.destroy(),
  };
}
