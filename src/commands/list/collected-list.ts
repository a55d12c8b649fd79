import type { Connection } from "../../cluster/connection/connection.ts";
import { observeDetailedList, WHY_SLOW } from "../../cluster/list/list-events.ts";
import { listUnsuccessfulJobs } from "../../cluster/list/list-jobs.ts";
import type { CrashLogs } from "../../cluster/list/list-logs.ts";
import { noMatchNotes } from "../../cluster/list/list-match.ts";
import type { ListedObservation } from "../../cluster/list/list-observe.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import type { OnSuspects } from "../../cluster/list/list-pods.ts";
import type { UserError } from "../../errors.ts";
import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import type { FailedJob } from "../../explain/answer/explanation.ts";
import { withCommon } from "../../explain/common.ts";
import { explain } from "../../explain/explain.ts";
import { joined, listed } from "../../explain/list.ts";
import type { AskedJob } from "../../explain/observed/observation.ts";
import { failedJob } from "../../explain/owners/failed-job.ts";
import type { PolicyOverrides } from "../../explain/replay/policy-of-pod.ts";
import { withLogLines } from "./list-log-lines.ts";
import { collectParts } from "./list-parts.ts";

interface Request {
  readonly options: PolicyOverrides;
  readonly localNowMs: number;
  readonly logs?: CrashLogs | undefined;
  readonly onPart?: (part: ListedObservation) => void;
}

export async function collectedList(
  connection: Connection,
  scope: ListScope,
  { options, localNowMs, logs, onPart }: Request,
): Promise<{ readonly list: BackoffList; readonly failure: UserError | null; readonly notes: readonly string[] }> {
  const onSuspects: OnSuspects = (rows) => logs?.requestAhead(rows);
  const parts = observeDetailedList(connection, scope, { localNowMs, need: WHY_SLOW, onSuspects });
  const jobs = listUnsuccessfulJobs(connection, scope);
  const hasOneNamespace = scope.namespace !== null;
  const podsPerNode = new Map<string, number>();
  let podsRead = 0;
  const collected = collectParts(
    connection,
    parts,
    (part) => {
      onPart?.(part);
      if (part.startsOver) podsPerNode.clear();
      for (const { nodeName } of part.all)
        if (nodeName !== null) podsPerNode.set(nodeName, (podsPerNode.get(nodeName) ?? 0) + 1);
      podsRead = part.podsRead;
      return { list: listed(part, explain(part, options)), all: hasOneNamespace ? part.all : [] };
    },
    (_, judged) => {
      const down = judged.reduce((sum, { list }) => sum + list.items.length, 0);
      return `${podsRead.toLocaleString("en-US")} pods read, ${down.toLocaleString("en-US")} containers down`;
    },
  );
  const [{ found, failure }, asked] = await Promise.all([collected, jobs]);
  const lists = found.map(({ list }) => list);
  const list = { ...joined(found[0].list, lists), failedJobs: failedAmong(asked ?? []) };
  const allPods = found.flatMap(({ all }) => all);
  const withLines = logs === undefined ? list : await withLogLines(list, logs);
  const whole = { ...withLines, podsPerNode, ...(hasOneNamespace && { allPods }) };
  const isEmpty = failure === null && podsRead === 0 && list.failedJobs.length === 0;
  const notes = isEmpty ? await noMatchNotes(connection, scope) : [];
  return { list: withCommon(failure === null ? whole : withLines), failure, notes };
}

export function failedAmong(jobs: readonly AskedJob[]): readonly FailedJob[] {
  return jobs.flatMap((job) => failedJob(job, []));
}
