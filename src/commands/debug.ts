import manifest from "../../package.json" with { type: "json" };
import { keepingTime, ServerClock } from "../cluster/watch-clock.ts";
import type { ExplainOptions } from "../explain/explain.ts";
import type { Observation } from "../explain/observation.ts";
import { traceOf } from "../explain/replay-trace.ts";
import { nowLine, replayLines } from "../render/debug-replay.ts";
import { harmless } from "../render/harmless.ts";
import { kindOfCredentials, withoutSecrets } from "./debug-credentials.ts";
import { traceRequests } from "./debug-requests.ts";
import type { Trace } from "./debug-trace.ts";
import { MODELED_MINORS } from "./flag-values.ts";

/** What --debug needs: where the lines go, and the local clock. */
export interface DebugRequest {
  readonly note: (line: string) => void;
  readonly localNowMs: () => number;
}

/** Tells in lines what a command does: each begins with "debug" and what it is about. */
export function startTrace({ note, localNowMs }: DebugRequest): Trace {
  const say = (line: string): void => note(harmless(`debug ${line}`));
  const clock = new ServerClock();
  let sinceMs = performance.now();
  say(versionLine());
  const explained = (observation: Observation, options: ExplainOptions): void => {
    const nowMs = localNowMs();
    const serverMs = clock.nowMs(nowMs);
    say(nowLine(observation, serverMs === null ? null : nowMs - serverMs));
    for (const pod of observation.pods)
      for (const line of replayLines(traceOf(pod, options, observation.atMs))) say(line);
    sinceMs = performance.now();
  };
  return {
    ended: (stage) => {
      const endedMs = performance.now();
      say(`stage ${stage} ${Math.round(endedMs - sinceMs)} ms`);
      sinceMs = performance.now();
    },
    connection: (connection, options) => {
      say(`stage kubeconfig ${Math.round(performance.now() - sinceMs)} ms`);
      say(`server ${withoutSecrets(connection.server)} namespace ${connection.namespace}`);
      const asked = traceRequests(say, kindOfCredentials(options));
      sinceMs = performance.now();
      const timed = keepingTime(connection, clock, localNowMs);
      return {
        ...timed,
        get: (path, request) => asked(() => timed.get(path, request)),
        stream: (path, request) => asked(() => timed.stream(path, request)),
      };
    },
    explained,
    parts: async function* (parts, options) {
      for await (const part of parts) {
        explained(part, options);
        yield part;
      }
    },
  };
}

function versionLine(): string {
  const { oldest, newest } = MODELED_MINORS;
  const { version, platform, arch } = process;
  return `version kubectl-backoff v${manifest.version} model v1.${oldest}..v1.${newest} node ${version} ${platform}/${arch}`;
}
