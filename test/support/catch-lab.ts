import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, vi } from "vitest";
import { rfc3339 } from "../../lab/api-server/container-statuses.ts";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { type Run, run } from "./command.ts";
import { clockFrom, currentCluster } from "./listing.ts";
import { aRawEvent, aRawNode, aRawPod } from "./raw-objects.ts";

const BEGAN_MS = Date.UTC(2026, 10, 21, 12, 10, 0);

export class CatchLab {
  readonly folder = mkdtempSync(join(tmpdir(), "backoff-catch-"));
  readonly simulator: Simulator;
  readonly #nowMs: () => number;

  private constructor(simulator: Simulator, nowMs: () => number) {
    this.simulator = simulator;
    this.#nowMs = nowMs;
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
  }

  static async start(forbidden: readonly string[] = []): Promise<CatchLab> {
    const clock = clockFrom(BEGAN_MS);
    const objects = [aRawPod(), aRawNode(), aRawEvent("one")];
    return new CatchLab(await currentCluster({ objects, clock, forbidden }), clock);
  }

  caught(name: string, ...argv: readonly string[]): Promise<Run> {
    return run("catch", "web-0", "--output-file", this.file(name), ...argv);
  }

  async caughtOnce(
    what: "watch" | "follow",
    [name, ...argv]: readonly [string, ...string[]],
    act: () => unknown,
  ): Promise<Run> {
    const [caught] = await Promise.all([this.caught(name, ...argv), this.onceAsked(what).then(act)]);
    return caught;
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  linesIn(name: string): string[] {
    const { log } = JSON.parse(readFileSync(this.file(name), "utf8"));
    return log.lines.map(({ text }: { text: string }) => text);
  }

  running(): object {
    return { running: { startedAt: rfc3339(this.#nowMs()) } };
  }

  ended(id: number, exitCode = 1): object {
    const times = { startedAt: rfc3339(BEGAN_MS), finishedAt: rfc3339(this.#nowMs()) };
    return { terminated: { exitCode, reason: "Error", ...times, containerID: `containerd://${id}` } };
  }

  put(restartCount: number, state: object, lastState = {}, overrides = {}, conditions: object[] = []): void {
    const containerID = `containerd://${restartCount}`;
    const status = { name: "app", restartCount, containerID, state, lastState, ready: true };
    this.simulator.put({
      ...aRawPod(overrides),
      status: { phase: "Running", conditions, containerStatuses: [status] },
    });
  }

  say(id: number, ...lines: readonly string[]): void {
    for (const line of lines) this.simulator.logs.write(`containerd://${id}`, `${line}\n`, this.#nowMs());
  }

  exit(id: number, lastState: object = {}, exitCode = 1): void {
    this.simulator.logs.end(`containerd://${id}`);
    this.put(id, this.ended(id, exitCode), lastState);
  }

  async onceAsked(what: "watch" | "follow"): Promise<void> {
    const isAsked = (): boolean => this.simulator.requests.some(({ query }) => query.has(what));
    await vi.waitFor(() => expect(isAsked()).toBe(true), { timeout: 45_000 });
    await sleep(100);
  }

  async crash(): Promise<void> {
    await this.onceAsked("watch");
    this.say(6, "starting");
    this.put(6, this.running());
    await this.onceAsked("follow");
    this.say(6, "KeyError: 'DB_URL'");
    this.exit(6);
  }
}
