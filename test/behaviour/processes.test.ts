import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Interruption } from "../../src/commands/watch/watch-output.ts";
import { startBehaviourLab } from "../support/behaviour-lab.ts";
import { BEHAVIOURS, outcomeOf } from "../support/behaviours.ts";
import { repositoryFile } from "../support/command.ts";

const hasFull = existsSync("/dev/full");
const TESTED = BEHAVIOURS.filter(({ isTestedAlways }) => isTestedAlways);

describe("the program as a process", () => {
  let lab: Awaited<ReturnType<typeof startBehaviourLab>>;

  beforeAll(async () => {
    lab = await startBehaviourLab();
    return () => lab.stop();
  });

  it.each(TESTED)("$situation: $outcome", async (behaviour) => {
    if (!hasFull && (behaviour.stdout === "full" || behaviour.stderr === "full")) return;
    expect(await outcomeOf(behaviour, lab, repositoryFile("bin/main.js"))).toBe(behaviour.outcome);
  });
});

describe("Interruption", () => {
  it("ends the program immediately at a second Ctrl-C, and counts a forwarded Ctrl-C once", async () => {
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const interruption = new Interruption();
    process.emit("SIGINT");
    process.emit("SIGINT");
    await interruption.whenEnded;
    expect(interruption.reason()).toBe("interrupted");
    expect(kill).not.toHaveBeenCalled();
    await vi.waitFor(() => {
      process.emit("SIGINT");
      expect(kill).toHaveBeenCalledWith(process.pid, "SIGINT");
    });
    interruption.close();
    expect(process.listenerCount("SIGINT")).toBe(0);
  });
});
