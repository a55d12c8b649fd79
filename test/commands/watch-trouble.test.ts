import { expect, it } from "vitest";
import { TroubleNotes } from "../../src/commands/watch/watch-output.ts";

it("says once that nothing is heard, and once that something is again", () => {
  const said: string[] = [];
  const notes = new TroubleNotes("the pods", (sentence) => said.push(sentence));
  const trouble = { sinceMs: 0, because: "connect ECONNREFUSED" };
  for (const now of [null, trouble, trouble, null, null, trouble]) notes.take(now);
  const lost = "Nothing is heard of the pods (connect ECONNREFUSED): trying again.";
  expect(said).toEqual([lost, "The connection is there again.", lost]);
});
