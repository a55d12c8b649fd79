import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { shownAsError } from "./crash-situations.ts";
import {
  backingOff,
  between,
  container,
  exit,
  explanation,
  inCrashLoopBackOff,
  onePod,
  pod,
  runs,
} from "./explanations.ts";
import { healthy, imagePullBackOff } from "./start-situations.ts";
import { completed } from "./stopped-situations.ts";

export function manyContainers(): Explanation {
  const init = container({
    name: "migrate-database-schema",
    type: "init",
    state: "completed",
    reported: "Completed",
    delayMs: null,
    delayBasis: null,
    lastExit: exit("13:36:40", "13:36:42", { exitCode: 0, reason: "Completed" }),
  });
  const proxy = inCrashLoopBackOff(160_000, {
    name: "proxy",
    type: "sidecar",
    restartCount: 5,
    nextRestart: between("13:42:26", "13:42:56"),
    lastExit: exit("13:39:40", "13:39:46"),
    why: "The kubelet waits 2m40s after this exit, 5m (maximum) after the next.",
    evidence: [],
  });
  const slow = container({
    name: "slow",
    state: "restarting",
    reported: "Error",
    restartCount: 1,
    nextRestart: between("13:41:00", "13:41:02"),
    lastExit: exit("13:40:10", "13:40:59", {
      exitCode: 3,
      meaning: "Exit code 3: the program stopped with an error.",
    }),
    why: "No back-off applies, so the kubelet restarts it immediately.",
  });
  const steady = ["web", "cache", "metrics", "worker-of-the-night", "mail"].map((name) =>
    container({ name, history: runs(0, ["13:36:43", null]) }),
  );
  return onePod("13:41:00", [init, proxy, ...steady, slow], { verdict: "crash-looping" });
}

export function manyPods(): Explanation {
  const [error, image, fine, done] = [shownAsError(), imagePullBackOff(), healthy(), completed()];
  const named = (each: Explanation, name: string) => each.pods.map((one) => ({ ...one, name }));
  const pods = [...error.pods, ...named(image, "search-0"), ...named(fine, "web-7c9f5d5b8-kq6zl"), ...done.pods];
  return explanation("13:40:30", pods, { atBasis: "flag" });
}

const WIDE_MESSAGE =
  "\u001b[31m設定ファイルを開けません\u0007: /etc/アプリ/設定.yaml\n🚨 データベースに接続できませんでした。\r\nもう一度お試しください\u202e。";

export function wideCharacters(): Explanation {
  const proxy = backingOff(20_000, {
    name: "データベース接続確認サービス",
    type: "sidecar",
    restartCount: 2,
    nextRestart: between("13:37:14", "13:37:25"),
    lastExit: exit("13:36:53", "13:36:54", {
      exitCode: 78,
      message: WIDE_MESSAGE,
      crash: `Exit code 78: the program stopped with an error. Termination message: ${WIDE_MESSAGE}`,
      meaning: "Exit code 78: the program stopped with an error.",
    }),
    why: "The kubelet waits 20s after this exit, 40s after the next.",
  });
  const app = container({ history: runs(0, ["12:00:00", null]) });
  return explanation("13:37:00", [pod([proxy, app], { verdict: "crash-looping" })], {
    atBasis: "newest-input",
  });
}
