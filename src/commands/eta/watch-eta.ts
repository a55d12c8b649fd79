import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { NOT_UP } from "../../cluster/list/pod-filter.ts";
import type { Eta } from "../../explain/answer/eta.ts";
import { type EtaCount, EtaProgress, givesUpAtMs, isAllUp } from "../../explain/follow/eta-progress.ts";
import { podKey } from "../../explain/observed/lookups.ts";
import { etaProgressLine } from "../../render/eta/eta-json.ts";
import {
  countLine,
  disconnectedLine,
  givenUpLine,
  lastLine,
  outcomeLine,
} from "../../render/eta/eta-progress-words.ts";
import type { ETA_FORMS } from "../../render/forms.ts";
import { timesAround } from "../../render/page/times.ts";
import type { ConnectionLoss } from "../../render/watch/live.ts";
import { FAILED, INTERRUPTED } from "../terminal/exit-codes.ts";
import { notify } from "../terminal/notify.ts";
import { progressLine } from "../terminal/progress-bar.ts";
import { forTerminal, print } from "../terminal/standard-output.ts";
import { PacedList, type PodHandler } from "../watch/paced-list.ts";
import { connectionNotes, ifChanged, type Show, showFrames } from "../watch/watch-output.ts";

export interface EtaWatchRequest {
  readonly eta: Eta;
  readonly announce: () => Promise<void>;
  readonly scope: ListScope;
  readonly output: keyof typeof ETA_FORMS;
  readonly note: (sentence: string) => void;
  readonly hasNotify: boolean;
}

interface EtaFrame {
  readonly count: EtaCount;
  readonly nowMs: number;
  readonly isGivenUp: boolean;
  readonly connectionLoss: ConnectionLoss | null;
}

/** Returns the exit code. */
export async function watchEta(connection: Connection, request: EtaWatchRequest, timers: Timers): Promise<number> {
  const { eta, announce, scope, output, hasNotify } = request;
  const line = progressLine(process.stderr);
  const note = (sentence: string): void => {
    line.clear();
    request.note(sentence);
  };
  let last: EtaFrame | null = null;
  const progress = new EtaProgress(eta);
  const noteLoss = connectionNotes(note);
  const handler = handlerFor(
    progress,
    () => list.time.nowMs(),
    () => list.news(),
  );
  const list = new PacedList(connection, { ...scope, filter: NOT_UP }, handler, timers);
  async function* frames(): AsyncGenerator<EtaFrame> {
    await announce();
    for await (const _ of list.turns()) {
      const nowMs = list.time.nowMs();
      const connectionLoss = list.lossAt(nowMs);
      noteLoss(connectionLoss);
      // While the connection is lost, the count is as of the loss, because a container may not have stayed up since.
      const count = progress.count(connectionLoss?.sinceMs ?? nowMs);
      const endAtMs = givesUpAtMs(eta, count);
      // While the connection is lost, the containers may have come up.
      const isGivenUp = endAtMs !== null && nowMs > endAtMs && list.hasHeardSince([{ expectedByMs: endAtMs }]);
      last = { count, nowMs, isGivenUp, connectionLoss };
      yield last;
      if (isGivenUp && output === "json") note(givenUpLine(eta, count, nowMs));
      if (isGivenUp || isAllUp(count)) return;
    }
  }
  const show = output === "json" ? showAsJson() : showOf(eta, line);
  const exitCode = await showFrames(connection, { frames, end: () => list.end() }, show);
  const end = last as EtaFrame | null;
  if (hasNotify && end !== null && exitCode !== INTERRUPTED) notify(endLine(eta, end));
  return end?.isGivenUp ? FAILED : exitCode;
}

function endLine(eta: Eta, { count, nowMs, isGivenUp, connectionLoss }: EtaFrame): string {
  if (isGivenUp) return givenUpLine(eta, count, nowMs);
  const isUnknown = connectionLoss !== null && !isAllUp(count);
  return isUnknown ? disconnectedLine(count, connectionLoss, timesAround(eta.atMs)) : lastLine(eta, count, nowMs);
}

function handlerFor(progress: EtaProgress, nowMs: () => number, onNews: () => void): PodHandler {
  return {
    listed: async (parts) => {
      const present = new Set<string>();
      for await (const { pods, startsOver } of parts) {
        if (startsOver) present.clear();
        for (const { pod } of pods) {
          present.add(podKey(pod));
          progress.record(pod, nowMs());
        }
      }
      progress.recordUpExcept(present, nowMs());
      onNews();
    },
    changed: ({ pod }) => {
      progress.record(pod, nowMs());
      onNews();
    },
    upOrGone: (pod) => {
      progress.recordUp(pod, nowMs());
      onNews();
    },
  };
}

function showAsJson(): Show<EtaFrame> {
  const lineOf = ifChanged<EtaFrame>(
    ({ count: { up, downAgain } }) => `${up} ${downAgain}`,
    ({ count, nowMs }) => etaProgressLine(count, nowMs),
  );
  return async (frame) => {
    const text = lineOf(frame);
    if (text !== "") await print(text);
  };
}

function showOf(eta: Eta, line: ReturnType<typeof progressLine>): Show<EtaFrame> {
  const times = timesAround(eta.atMs);
  const printLine = (text: string): Promise<void> => {
    line.clear();
    return print(forTerminal(`${text}\n`));
  };
  let printed = 0;
  return async (frame, isLast) => {
    const { count, nowMs, connectionLoss } = frame;
    if (isLast) return printLine(endLine(eta, frame));
    const news = count.reached.slice(printed);
    printed = Math.max(printed, count.reached.length);
    for (const outcome of news) await printLine(outcomeLine(outcome, times));
    line.show(connectionLoss === null ? countLine(eta, count, nowMs) : disconnectedLine(count, connectionLoss, times));
  };
}
