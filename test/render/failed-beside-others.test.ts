import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { headline } from "../../src/render/page/answer.ts";
import { renderTable } from "../../src/render/pod/table.ts";
import { aContainer, aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";
import { between, container, DOWN, exit, pod } from "../support/explanations.ts";
import { PAGE } from "../support/page.ts";

const FAILED = container({ name: "a", state: "failed", lastExit: exit("13:39:50", "13:39:55") });
const NOT_FOUND = [{ code: "node-not-found", message: "" }];
const NOT_READY = [{ code: "node-not-ready", message: "" }];

describe("the headline of a pod with a container that has failed for good", () => {
  const b = { ...DOWN, name: "b" };
  const window = between("13:40:05", "13:40:20");

  it.each([
    {
      others: [container({ ...b, nextRestart: window })],
      says: "b restarts in 5s-20s (14:40:05-14:40:20 GMT+1, 95% confidence)",
    },
    { others: [container(b)], says: "b will restart" },
    {
      others: [container({ ...b, overdue: { expectedByMs: PAGE.nowMs - 60_000 } })],
      says: "the restart of b is overdue by 1m",
    },
    { others: [container({ name: "b", state: "starting" })], says: "b will start" },
    {
      others: [container({ name: "c" }), container({ ...b, nextRestart: window }), container({ name: "d" })],
      says: "b restarts in 5s-20s (14:40:05-14:40:20 GMT+1, 95% confidence); c, d still run",
    },
    { others: [container(b)], gaps: NOT_FOUND, says: "b is down, because node node-a does not exist" },
    { others: [container(b)], gaps: NOT_READY, says: "b is down until node node-a is Ready again" },
  ])("says what the other containers do: $says", ({ others, says, gaps = [] }) => {
    const explained = pod([FAILED, ...others], { name: "cart", verdict: "failed", gaps });
    expect(headline(explained, PAGE)).toBe(`shop/cart: a exited with code 1 after 5s and will not restart; ${says}.`);
  });

  it("is about the pod if the other containers have ended, will never start, or are for debugging", () => {
    const others = [
      container({ name: "b", state: "completed" }),
      container({ name: "c", state: "blocked" }),
      container({ name: "debugger", type: "ephemeral" }),
    ];
    expect(headline(pod([FAILED, ...others], { name: "cart", verdict: "failed" }), PAGE)).toBe(
      "shop/cart has failed (a exited with code 1 after 5s); its containers will not restart.",
    );
  });
});

describe("the page of a pod with a container that has failed for good beside one that restarts", () => {
  it("has the next start of the other container, and since when and how much the pod is down", () => {
    const ended = (name: string, seconds: number) =>
      aStatus({ name, state: terminated(T0_MS, T0_MS + seconds * 1_000) });
    const containers = [aContainer({ name: "a", restartPolicy: "Never" }), aContainer({ name: "b" })];
    const of = aPod({ containers, statuses: [ended("a", 3), ended("b", 83)] });
    const explanation = explain(observationOf(of, { atMs: T0_MS + 84_000 }), {});
    const page = renderTable(explanation, { columns: 120, color: false, timeZone: "UTC" });
    expect(page).toMatch(/^default\/web: a exited with code 1 after 3s and will not restart; b restarts /m);
    expect(page).toMatch(/^b .* none +(within|\d)/m);
    expect(page).toMatch(/^Since {6}12:00:00 UTC/m);
    expect(page).toMatch(/^Impact {5}down \d+% of the time$/m);
  });
});
