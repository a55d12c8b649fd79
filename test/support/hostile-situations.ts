import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { stated } from "../../src/explain/words/evidence.ts";
import { backingOff, between, exit, onePod, runs } from "./explanations.ts";

/** Tries to break out of texts, attributes, scripts and styles. */
export const HOSTILE = `"'><img src=x onerror=alert(1)></script></style><script>document.title='owned'</script>&amp;\u0000\u202e`;

export function hostile(): Explanation {
  const app = backingOff(10_000, {
    name: HOSTILE,
    image: HOSTILE,
    reported: HOSTILE,
    restartCount: 1,
    nextRestart: between("13:40:05", "13:40:15"),
    lastExit: exit("13:39:50", "13:39:55", { message: HOSTILE, reason: HOSTILE, meaning: HOSTILE }),
    history: runs(1, ["13:39:30", "13:39:35"], ["13:39:50", "13:39:55"]),
    why: HOSTILE,
    evidence: [stated(HOSTILE, HOSTILE)],
  });
  const gaps = [{ code: HOSTILE, message: HOSTILE }];
  const words = {
    namespace: HOSTILE,
    name: HOSTILE,
    node: HOSTILE,
    verdict: "crash-looping",
  } as const;
  return onePod("13:40:00", [app], { ...words, plan: [HOSTILE], gaps });
}
