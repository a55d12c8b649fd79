import { describe, expect, it } from "vitest";
import { hasYoungRun, mentionsYoungRun } from "../../src/cluster/list/list-pages.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12, 10);

function podOf(restartCount: number, startedAt: string | null) {
  const state = startedAt === null ? { waiting: { reason: "CrashLoopBackOff" } } : { running: { startedAt } };
  return { status: { containerStatuses: [{ name: "app", ready: true, restartCount, state, lastState: {} }] } };
}

describe("a run in the midst of a crash loop", () => {
  it.each([
    { restartCount: 2, startedAt: "2026-11-21T12:00:01Z", is: true },
    { restartCount: 10, startedAt: "2026-11-21T12:09:59Z", is: true },
    { restartCount: 2, startedAt: "2026-11-21T11:50:00Z", is: false },
    { restartCount: 1, startedAt: "2026-11-21T12:09:00Z", is: false },
    { restartCount: 10, startedAt: null, is: false },
  ])(
    "is told alike in a pod and in its text: restart $restartCount at $startedAt, $is",
    ({ restartCount, startedAt, is }) => {
      const pod = podOf(restartCount, startedAt);
      expect(hasYoungRun(toPodSnapshot(pod).statuses, NOW_MS)).toBe(is);
      expect(mentionsYoungRun(JSON.stringify(pod), NOW_MS)).toBe(is);
      expect(mentionsYoungRun(JSON.stringify(pod, null, 4), NOW_MS)).toBe(is);
    },
  );
});
