import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { NOT_UP } from "../../cluster/list/list-sieve.ts";
import { keepingTime } from "../../cluster/watch/watch-clock.ts";
import { type ListHandler, ListWatch } from "../../cluster/watch/watch-list.ts";
import type { Eta } from "../../explain/answer/eta.ts";
import { EtaProgress, isAllUp, keyOf } from "../../explain/follow/eta-progress.ts";
import { countLine, outcomeLine, verdictLine } from "../../render/eta/eta-words.ts";
import { timesAround } from "../../render/page/times.ts";
import { ProgressLine } from "../terminal/progress-bar.ts";
import { forTerminal } from "../terminal/standard-output.ts";
import { Ending, INTERRUPTED, printWhenRead } from "../watch/watch-ending.ts";
import { FramePace } from "../watch/watch-pace.ts";
import { WatchTime } from "../watch/watch-time.ts";
import { TroubleNotes } from "../watch/watch-trouble.ts";

const TICK_MS = 1_000;

/** What was announced, of which pods. */
export interface EtaWatchRequest {
  readonly eta: Eta;
  /** Prints it: from then on ^C ends the count and not the program. */
  readonly announce: () => Promise<void>;
  readonly scope: ListScope;
  readonly note: (sentence: string) => void;
}

/**
 * Counts what comes up until all of it is, or ^C: a line on a terminal, and a line of output for each share that has come. The
 * exit code: 130 after ^C.
 */
export async function watchEta(connection: Connection, request: EtaWatchRequest, timers: Timers): Promise<number> {
  const { eta, announce, scope, note } = request;
  const progress = new EtaProgress(eta);
  const time = new WatchTime(timers);
  const pace = new FramePace(timers, () => time.nowMs(), TICK_MS);
  const stop = new AbortController();
  const ending = new Ending();
  const notes = new TroubleNotes("the pods", note);
  const timed = keepingTime(connection, time.clock, () => timers.nowMs());
  const watch = new ListWatch(timed, { ...scope, sieve: NOT_UP }, handlerFor(progress, time, pace, notes), timers);
  const line = new ProgressLine(process.stderr);
  const end = (): void => {
    stop.abort();
    pace.end();
  };
  void ending.whenEnded.then(end);
  try {
    await announce();
    await watch.begin(stop.signal);
    let bug: { readonly error: unknown } | null = null as { readonly error: unknown } | null;
    const running = watch.run(stop.signal).catch((error) => {
      bug = { error };
      end();
    });
    await showAll(eta, progress, { time, pace, line, isEnded: () => stop.signal.aborted });
    end();
    await running;
    if (bug !== null) throw bug.error;
  } catch (error) {
    if (!stop.signal.aborted || ending.reason() === null) throw toUserError(error, connection);
  } finally {
    end();
    line.clear();
    ending.close();
    connection.close();
  }
  return ending.reason() === "interrupted" ? INTERRUPTED : 0;
}

function handlerFor(progress: EtaProgress, time: WatchTime, pace: FramePace, notes: TroubleNotes): ListHandler {
  return {
    listed: async (parts) => {
      const present = new Set<string>();
      for await (const { pods, startsOver } of parts) {
        if (startsOver) present.clear();
        for (const { pod } of pods) {
          present.add(keyOf({ namespace: pod.namespace, pod: pod.name }));
          progress.take(pod, time.nowMs());
        }
      }
      progress.settle(present, time.nowMs());
      pace.news();
    },
    changed: ({ pod }) => {
      progress.take(pod, time.nowMs());
      pace.news();
    },
    up: (pod) => {
      progress.up(pod, time.nowMs());
      pace.news();
    },
    trouble: (failure) => {
      const because = failure?.message.split("\n")[0] ?? "";
      notes.take(failure === null ? null : { sinceMs: time.nowMs(), because });
    },
  };
}

interface Shown {
  readonly time: WatchTime;
  readonly pace: FramePace;
  readonly line: ProgressLine;
  isEnded(): boolean;
}

/** Until everything is up, or somebody ends it; then how well the announcement did. */
async function showAll(eta: Eta, progress: EtaProgress, { time, pace, line, isEnded }: Shown): Promise<void> {
  const times = timesAround(eta.atMs);
  const print = (text: string): Promise<void> => {
    line.clear();
    return printWhenRead(forTerminal(`${text}\n`));
  };
  let told = 0;
  for (;;) {
    pace.framed();
    const nowMs = time.nowMs();
    const count = progress.count(nowMs);
    for (const outcome of count.reached.slice(told)) await print(outcomeLine(outcome, times));
    told = count.reached.length;
    if (isEnded() || isAllUp(count)) {
      await print(`${countLine(eta, count, nowMs)} ${verdictLine(count)}`);
      return;
    }
    line.show(countLine(eta, count, nowMs));
    await pace.pause();
  }
}
