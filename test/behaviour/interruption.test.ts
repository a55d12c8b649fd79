import { describe, expect, it, vi } from "vitest";
import { Interruption } from "../../src/commands/watch/watch-output.ts";

describe("Interruption", () => {
  it("ends the program immediately at a second Ctrl-C, and counts a forwarded Ctrl-C once", async () => {
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const interruption = new Interruption();
    process.emit("SIGINT");
    process.emit("SIGINT");
    await interruption.whenEnded;
    expect(interruption.exitCode).toBe(130);
    expect(kill).not.toHaveBeenCalled();
    await vi.waitFor(() => {
      process.emit("SIGINT");
      expect(kill).toHaveBeenCalledWith(process.pid, "SIGINT");
    });
    interruption.close();
    expect(process.listenerCount("SIGINT")).toBe(0);
  });
});
