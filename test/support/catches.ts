import { toldOfBytes } from "../../lab/hostile/real-path.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import type { Arrival, Catch, LogLine } from "../../src/explain/observed/catch.ts";
import { type CatchHeader, renderCatchJson } from "../../src/render/catch/catch-json.ts";
import { atClock } from "./explanations.ts";
import { aRawConfig, aRawEvent, aRawNode, aRawPod } from "./raw-objects.ts";

export interface MadeUpCatch {
  readonly caught: Catch;
  readonly header: CatchHeader;
}

const DAY = "2026-11-21T";

export function aCatch(text: (words: string) => string = (words) => words): MadeUpCatch {
  const arrival = (clock: string, kind: string, object: object, type: Arrival["type"] = "MODIFIED"): Arrival => ({
    ...{ atMs: atClock(clock), type, kind, object },
  });
  const event = (clock: string, reason: string, message: string): Arrival => {
    const own = { type: "Warning", reason: text(reason), message: text(message), count: 1 };
    const times = { firstTimestamp: `${DAY}${clock}Z`, lastTimestamp: `${DAY}${clock}Z` };
    const involved = { fieldPath: "spec.containers{app}" };
    return arrival(clock, "Event", { ...aRawEvent(`web-0.${clock}`, involved), ...own, ...times }, "ADDED");
  };
  const exit = { exitCode: 1, reason: "Error", message: text("KeyError") };
  const terminated = {
    ...exit,
    ...{ startedAt: `${DAY}12:12:00Z`, finishedAt: `${DAY}12:12:04Z`, containerID: "containerd://6" },
  };
  return {
    caught: {
      container: "app",
      run: { start: 6, startedAtMs: atClock("12:12:00"), finishedAtMs: atClock("12:12:04"), exitCode: 1 },
      ended: "exited",
      log: {
        lines: [
          line("12:12:00", text("starting")),
          line("12:12:01", text("connecting to <db>")),
          line("12:12:04", text("Traceback (most recent call last):")),
          line("12:12:04", `  ${text("KeyError: 'DB_URL'")}`, 12),
        ],
        leftOut: { lines: 0, bytes: 0 },
        isComplete: true,
        missing: null,
      },
      disconnected: [],
      arrivals: [
        arrival("12:10:00", "Node", aRawNode(), "ADDED"),
        arrival("12:10:00", "KubeletConfiguration", aRawConfig(), "ADDED"),
        arrival("12:10:00", "Pod", aRawPod(), "ADDED"),
        arrival("12:12:00", "Pod", podWith({ running: { startedAt: `${DAY}12:12:00Z` } }, "1")),
        event("12:12:03", "Unhealthy", "Liveness probe failed: connection refused"),
        arrival("12:12:04", "Pod", podWith({ terminated }, "2")),
      ],
    },
    header: {
      atMs: atClock("12:12:06"),
      atBasis: "server-clock",
      pod: { namespace: "prod", name: "web-0" },
      ...{ program: "0.1.0", model: "v1.19 to v1.37", flags: [], missing: [] },
    },
  };
}

function line(clock: string, text: string, cut = 0): LogLine {
  return { atMs: atClock(clock) + 300, time: `${DAY}${clock}.250000001Z`, text, cut };
}

function podWith(state: object, resourceVersion: string): object {
  const status = { name: "app", restartCount: 6, containerID: "containerd://6", state, ready: false };
  const raw = aRawPod({ metadata: { resourceVersion } });
  return { ...raw, status: { phase: "Running", containerStatuses: [status] } };
}

export async function explanationOf({ caught, header }: MadeUpCatch): Promise<Explanation> {
  return (await toldOfBytes(renderCatchJson({ caught, header }), header.atMs)).explanation;
}
