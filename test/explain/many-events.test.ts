import { expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { anEvent, aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";

const REASONS = ["BackOff", "Started", "Pulled", "Pulling", "Failed", "Killing"];

it.each(["CrashLoopBackOff", "ErrImagePull", "CreateContainerConfigError"])(
  "explains %s with 150,000 events, which are more than a function can have arguments",
  (reason) => {
    const events = Array.from({ length: 150_000 }, (_, index) => {
      const type = index % 2 === 0 ? ("Normal" as const) : ("Warning" as const);
      const times = { firstAtMs: T0_MS, lastAtMs: T0_MS + index, createdAtMs: T0_MS + 1_000 };
      return anEvent({ reason: REASONS[index % REASONS.length] ?? "", container: "app", type, ...times });
    });
    const lastState = terminated(T0_MS - 10_000, T0_MS - 5_000);
    const state = { kind: "waiting", reason, message: null } as const;
    const pod = aPod({ statuses: [aStatus({ state, lastState, restartCount: 3 })] });
    const [explained] = explain(observationOf(pod, { atMs: T0_MS + 200_000, events }), {}).pods;
    expect(explained?.containers[0]?.why).not.toBe("");
  },
);
