import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../../test/support/builders.ts";
import { aRawEvent, aRawNode } from "../../test/support/raw-objects.ts";
import { rfc3339 } from "../api-server/container-statuses.ts";
import { failure, LAB_PATHS } from "./api.ts";
import type { CrashLoop, LabWorld } from "./crash-loop.ts";
import type { Laptop } from "./laptop.ts";

const MINUTES_OF_A_DAY = 24 * 60;

export interface FaultyWorld extends LabWorld {
  readonly laptop: Laptop;
  loops(): readonly CrashLoop[];
  recreate(): void;
}

type Act = (world: FaultyWorld) => void;

/** `at` has minutes from the start of a day or, with `everyDays`, of a period of that many days. */
interface LongFault {
  readonly at: readonly number[];
  readonly everyDays?: number;
  readonly act: Act;
}

/** One of these happens in each minute without a long fault, in turn. */
const SHORT_FAULTS: Readonly<Record<string, Act>> = {
  "connection cut": ({ api }) => api.each((pipe) => pipe.end(failure("unreachable", 0))),
  "connection stalled": ({ api }) => api.each((pipe) => pipe.stall()),
  "410 Gone": ({ api }) =>
    api.each((pipe) => pipe.send('{"type":"ERROR","object":{"code":410,"message":"too old resource version"}}')),
  "500": (world) => refuse(world, failure("server-error", 500), 5 * S),
  "429 with Retry-After": (world) => refuse(world, TOO_MANY, 20 * S),
  "reset in mid-line": ({ api }) => api.each((pipe) => pipe.cutInLine()),
  "half a line": ({ api }) => api.each((pipe) => pipe.send('{"type":"MODIFIED","object":{"metadata":')),
  "changes told again, in the wrong order": ({ api }) => api.watches.repeat(12),
  "closed right after a bookmark": ({ api }) => {
    api.watches.bookmark();
    api.each((pipe) => pipe.end());
  },
  "API server restarted without its watch cache": (world) => {
    refuse(world, failure("unreachable", 0), 20 * S);
    world.timers.after(19 * S, () => world.api.watches.compact());
  },
  "401, the token has expired": (world) => refuse(world, failure("unauthorized", 401), 15 * S),
  "403 for seconds": (world) => refuse(world, failure("forbidden", 403), 5 * S),
};

/** In the minutes of `at`, a long fault takes the place of a short fault. */
const LONG_FAULTS: Readonly<Record<string, LongFault>> = {
  "the API server's clock is set": { at: [100, 820], act: jumpClock },
  "the laptop's clock is set": { at: [110, 830], act: setLocalClock },
  "kubelet restarted": { at: [200, 640, 1_300], act: restartKubelet },
  "pod deleted and made again with its name": { at: [660], everyDays: 3, act: (world) => world.recreate() },
  "node unreachable for an hour": { at: [300], act: (world) => cutNode(world, HOUR_MS) },
  "no connection for three hours": { at: [420], act: (world) => refuse(world, UNREACHABLE, 3 * HOUR_MS) },
  "laptop asleep for four hours": { at: [900], act: (world) => fallAsleep(world, 4 * HOUR_MS) },
};

const CLOCKS: ReadonlySet<string> = new Set(["the API server's clock is set", "the laptop's clock is set"]);

const TOO_MANY = new RequestFailure("server-error", { message: "too many requests", status: 429, retryAfterMs: 7 * S });
const UNREACHABLE = failure("unreachable", 0);

export class Faults {
  readonly counts = new Map<string, number>();
  readonly #world: FaultyWorld;
  clockSetAtMs = 0;
  #minute = 0;
  #shortOnes = 0;
  #isOver = false;

  constructor(world: FaultyWorld) {
    this.#world = world;
    this.#plan();
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  stop(): void {
    this.#isOver = true;
  }

  #plan(): void {
    if (this.#isOver) return;
    const { timers } = this.#world;
    timers.after(MINUTE_MS * timers.random(), () => this.#happen());
    timers.after(MINUTE_MS, () => {
      this.#minute++;
      this.#plan();
    });
  }

  #happen(): void {
    const long = LONG.find(([, { at, everyDays = 1 }]) =>
      at.some((minute) => minute === this.#minute % (everyDays * MINUTES_OF_A_DAY)),
    );
    const [name, act] = long === undefined ? this.#nextShort() : ([long[0], long[1].act] as const);
    act(this.#world);
    if (CLOCKS.has(name)) this.clockSetAtMs = this.#world.timers.nowMs();
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  #nextShort(): readonly [string, Act] {
    const next = SHORT[this.#shortOnes++ % SHORT.length];
    if (next === undefined) throw new Error("there are no faults");
    return next;
  }
}

const SHORT = Object.entries(SHORT_FAULTS);
const LONG = Object.entries(LONG_FAULTS);

/** Does nothing while the long refusal `UNREACHABLE` lasts. */
function refuse({ api, timers }: FaultyWorld, refusal: RequestFailure, ms: number): void {
  if (api.refusal === UNREACHABLE) return;
  api.refusal = refusal;
  api.each((pipe) => pipe.end(failure("unreachable", 0)));
  timers.after(ms, () => {
    if (api.refusal === refusal) api.refusal = null;
  });
}

function jumpClock({ api, timers }: FaultyWorld): void {
  api.clockOffMs = 2 * HOUR_MS;
  api.each((pipe) => pipe.end());
  timers.after(2 * MINUTE_MS, () => {
    api.clockOffMs = 0;
    api.each((pipe) => pipe.end());
  });
}

function setLocalClock({ laptop }: FaultyWorld): void {
  laptop.clockOffMs = laptop.clockOffMs === 0 ? -HOUR_MS : 0;
}

function restartKubelet(world: FaultyWorld): void {
  const { api, timers } = world;
  const now = rfc3339(timers.nowMs());
  const about = { kind: "Node", name: "node-a", uid: "node-a", namespace: "" };
  const event = { ...aRawEvent(`kubelet-${now}`, about), metadata: { name: `kubelet-${now}`, namespace: "default" } };
  const times = { type: "Normal", count: 1, firstTimestamp: now, lastTimestamp: now };
  const raw = { ...event, ...times, reason: "Starting", message: "Starting kubelet." };
  api.put(LAB_PATHS.nodeEvents, raw);
  for (const loop of world.loops()) loop.restartKubelet();
  // The API server keeps an event for an hour (the default of --event-ttl).
  timers.after(HOUR_MS, () => api.remove(LAB_PATHS.nodeEvents, `kubelet-${now}`));
}

function cutNode(world: FaultyWorld, ms: number): void {
  const { api, timers } = world;
  const cut = world.loops();
  for (const loop of cut) loop.cutOff(true);
  timers.after(40 * S, () => api.put(LAB_PATHS.nodes, nodeThatIs("Unknown")));
  timers.after(ms, () => {
    api.put(LAB_PATHS.nodes, nodeThatIs("True"));
    for (const loop of cut) loop.cutOff(false);
  });
}

export function nodeThatIs(ready: "True" | "Unknown"): object {
  const raw = aRawNode() as { status: object };
  const conditions = [{ type: "Ready", status: ready, reason: "it was asked to be" }];
  return { ...raw, status: { ...raw.status, conditions } };
}

/** The API server does not notice the sleep, so the watches stay open, but silent. */
function fallAsleep({ api, laptop }: FaultyWorld, ms: number): void {
  api.each((pipe) => pipe.stall());
  laptop.sleep(ms);
}
