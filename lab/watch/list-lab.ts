import type { Connection } from "../../src/cluster/connection/connection.ts";
import { ListSession } from "../../src/commands/list/watch-list.ts";
import { type ListFrame, listNews } from "../../src/render/watch/live-list.ts";
import { A_LOOK } from "../../test/support/list-items.ts";
import { aRawNode, aRawPod } from "../../test/support/raw-objects.ts";
import { LAB_PATHS, LabApi } from "./api.ts";
import { Laptop } from "./laptop.ts";
import { VirtualTimers } from "./virtual-timers.ts";

const LOOK = { ...A_LOOK, hasHeaders: false };

/** Watches the list of a namespace, and tells its news in words, e.g. "web-0 6" (restarts) or "web-0 up". */
export class ListLab {
  readonly timers = new VirtualTimers();
  readonly laptop = new Laptop(this.timers);
  readonly api = new LabApi(this.timers);
  readonly frames: ListFrame[] = [];
  readonly told: string[] = [];
  session: ListSession | null = null;

  constructor() {
    this.api.put(LAB_PATHS.nodes, aRawNode());
    this.api.put(LAB_PATHS.pods, { metadata: { name: "someone-else" } });
  }

  down(name: string, restartCount = 5, nodeName = "node-a"): void {
    this.#put(name, nodeName, { restartCount });
  }

  up(name: string, restartCount = 5, startedAt = "2026-11-21T11:09:50Z"): void {
    const containerID = `containerd://up-${restartCount}`;
    this.#put(name, "node-a", { restartCount, containerID, ready: true, state: { running: { startedAt } } });
  }

  unready(name: string): void {
    const state = { running: { startedAt: "2026-11-21T11:09:50Z" } };
    const lastTransitionTime = new Date(this.timers.nowMs()).toISOString();
    const conditions = [{ type: "Ready", status: "False", lastTransitionTime }];
    this.#put(name, "node-a", { restartCount: 0, started: true, state, lastState: {} }, { conditions });
  }

  remove(name: string): void {
    this.api.remove(LAB_PATHS.pods, name);
  }

  async follow(connection: Connection = this.api.connection()): Promise<void> {
    this.session = new ListSession(connection, { namespace: "prod" }, {}, this.laptop, { tail: 50 });
    let before: ListFrame["list"] | null = null;
    for await (const frame of this.session.frames()) {
      this.frames.push(frame);
      this.told.push(...wordsOf(listNews(before, frame.list, LOOK)));
      before = frame.list;
    }
  }

  get lists(): number {
    return this.#asked(false);
  }

  get watches(): number {
    return this.#asked(true);
  }

  #asked(asWatch: boolean): number {
    return this.api.asked.filter(({ path, isWatch }) => path === LAB_PATHS.pods && isWatch === asWatch).length;
  }

  #put(name: string, nodeName: string, app: object, status: object = {}): void {
    this.api.put(LAB_PATHS.pods, aRawPod({ metadata: { name, uid: name }, spec: { nodeName }, app, status }));
  }
}

function wordsOf(news: string): string[] {
  return news
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, up] = /^prod\/(\S+) app is no longer down\.$/.exec(line) ?? [];
      const [, unready, isReady] = /^prod\/(\S+) is (?:not Ready: .+|(Ready) or gone)\.$/.exec(line) ?? [];
      if (unready !== undefined) return `${unready} ${isReady ?? "not Ready"}`;
      const [, name, restarts] = /^(\S+) +\d+\/\d+ +[a-z ]+? +(\d+)/.exec(line) ?? [];
      return up === undefined ? `${name} ${restarts}` : `${up} up`;
    });
}
