import type { FaultKind } from "../api-server/faults.ts";
import { type FaultCase, LONG_MS, PAGE, REDIRECT } from "./case.ts";
import { answersWithGaps, jsonOf } from "./outcome.ts";
import { PATHS } from "./pod.ts";

const PATIENCE_MS = 4_000;

const OPTIONAL = [
  { what: "events", path: PATHS.events },
  { what: "node", path: PATHS.node },
  { what: "node-events", path: PATHS.nodeEvents },
  { what: "node-config", path: PATHS.nodeConfig },
] as const;

const FAULTS: readonly { readonly name: string; readonly fault: FaultKind; readonly why: string }[] = [
  { name: "401", fault: { status: 401 }, why: "forbidden" },
  { name: "403", fault: { status: 403 }, why: "forbidden" },
  { name: "404", fault: { status: 404 }, why: "not-found" },
  { name: "410", fault: { status: 410 }, why: "unreachable" },
  { name: "429", fault: { status: 429, headers: { "Retry-After": "1" } }, why: "unreachable" },
  { name: "500", fault: { status: 500 }, why: "unreachable" },
  { name: "503 for an hour", fault: { status: 503, headers: { "Retry-After": "3600" } }, why: "unreachable" },
  { name: "reset", fault: { at: "inside the JSON", end: "reset" }, why: "unreachable" },
  { name: "closed", fault: { at: "before the status line", end: "close" }, why: "unreachable" },
  { name: "stall before the answer", fault: { at: "before the status line", end: "stall" }, why: "timeout" },
  { name: "stall in the answer", fault: { at: "between two chunks", end: "stall" }, why: "timeout" },
  { name: "a page", fault: PAGE, why: "unreachable" },
  { name: "no JSON", fault: { status: 200, body: "{" }, why: "unreachable" },
  { name: "a redirect", fault: REDIRECT, why: "unreachable" },
];

const ofExplanations: readonly FaultCase[] = [...OPTIONAL.map((one) => [one]), OPTIONAL].flatMap((failing) =>
  FAULTS.map(({ name, fault, why }) => ({
    fault: "failure of what an explanation can do without",
    variant: `${failing.length === 1 ? failing[0]?.what : "all of it"}: ${name}`,
    asked: ["explain"],
    timeoutMs: why === "timeout" ? PATIENCE_MS : LONG_MS,
    outcome: answersWithGaps(failing.map(({ what }) => `${what}-${why}`)),
    arrange: async (lab) => {
      const simulator = await lab.simulator();
      for (const { path } of failing) simulator.fail({ path, fault });
    },
  })),
);

const ofLists: readonly FaultCase[] = FAULTS.map(({ name, fault, why }) => ({
  fault: "failure of the nodes of a list",
  variant: name,
  asked: ["list"],
  timeoutMs: why === "timeout" ? PATIENCE_MS : LONG_MS,
  outcome: {
    words: "the list; nodes are assumed",
    check: (run, proper) => {
      const rows = (text: string) => jsonOf(text)?.items?.length;
      const isSame = rows(run.stdout) === rows(proper.stdout) && jsonOf(run.stdout)?.incomplete !== true;
      return run.exitCode === 0 && run.stderr === "" && isSame ? [] : [JSON.stringify(run)];
    },
  },
  arrange: async (lab) => (await lab.simulator()).fail({ path: "/nodes?", fault }),
}));

export const GAP_FAULTS: readonly FaultCase[] = [...ofExplanations, ...ofLists];
