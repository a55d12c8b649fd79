import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { NOT_UP } from "../../cluster/list/list-sieve.ts";
import type { ListHandler } from "../../cluster/watch/watch-list.ts";
import type { Eta } from "../../explain/answer/eta.ts";
import { type EtaCount, EtaProgress, isAllUp, keyOf } from "../../explain/follow/eta-progress.ts";
import { countLine, outcomeLine, verdictLine } from "../../render/eta/eta-words.ts";
import { timesAround } from "../../render/page/times.ts";
import { ProgressLine } from "../terminal/progress-bar.ts";
import { forTerminal } from "../terminal/standard-output.ts";
import { printWhenRead, type Show, showFrames, TroubleNotes } from "../watch/watch-output.ts";
import { WatchedList } from "../watch/watched-list.ts";

/** What was announced, of which pods. */
export interface EtaWatchRequest {
  readonly eta: Eta;
  /** Prints it: from then on ^C ends the count and not the program. */
  readonly announce: () => Promise<void>;
  readonly scope: ListScope;
  readonly note: (sentence: string) => void;
}

interface EtaFrame {
  readonly count: EtaCount;
  readonly nowMs: number;
}

/**
 * Counts what comes up until all of it is, or ^C: a line on a terminal, and a line of output for each share that has come. The
 * exit code: 130 after ^C.
 */
export async function watchEta(connection: Connection, request: EtaWatchRequest, timers: Timers): Promise<number> {
  const { eta, announce, scope, note } = request;
  const progress = new EtaProgress(eta);
  const notes = new TroubleNotes("the pods", note);
  const handler = handlerFor(
    progress,
    () => list.time.nowMs(),
    () => list.news(),
  );
  const list = new WatchedList(connection, { ...scope, sieve: NOT_UP }, handler, timers);
  async function* frames(): AsyncGenerator<EtaFrame> {
    await announce();
    for await (const _ of list.turns()) {
      const nowMs = list.time.nowMs();
      notes.take(list.troubleAt(nowMs));
      const count = progress.count(nowMs);
      yield { count, nowMs };
      if (isAllUp(count)) return;
    }
  }
  return showFrames(connection, { frames, end: () => list.end() }, showOf(eta));
}

function handlerFor(progress: EtaProgress, nowMs: () => number, onNews: () => void): Omit<ListHandler, "trouble"> {
  return {
    listed: async (parts) => {
      const present = new Set<string>();
      for await (const { pods, startsOver } of parts) {
        if (startsOver) present.clear();
        for (const { pod } of pods) {
          present.add(keyOf({ namespace: pod.namespace, pod: pod.name }));
          progress.take(pod, nowMs());
        }
      }
      progress.settle(present, nowMs());
      onNews();
    },
    changed: ({ pod }) => {
      progress.take(pod, nowMs());
      onNews();
    },
    up: (pod) => {
      progress.up(pod, nowMs());
      onNews();
    },
  };
}

/** Prints each share that has come, and at the end how well the announcement did. */
function showOf(eta: Eta): Show<EtaFrame> {
  const times = timesAround(eta.atMs);
  const line = new ProgressLine(process.stderr);
  const print = (text: string): Promise<void> => {
    line.clear();
    return printWhenRead(forTerminal(`${text}\n`));
  };
  let told = 0;
  return async ({ count, nowMs }, isLast) => {
    if (isLast) return print(`${countLine(eta, count, nowMs)} ${verdictLine(count)}`);
    const fresh = count.reached.slice(told);
    told = count.reached.length;
    for (const outcome of fresh) await print(outcomeLine(outcome, times));
    line.show(countLine(eta, count, nowMs));
  };
}
