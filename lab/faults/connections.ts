import type { Socket } from "node:net";
import { BREAK_POINTS, reset } from "../api-server/broken-answers.ts";
import { type FaultCase, LONG_MS, MAIN_COMMANDS, MIDDLE_MS } from "./case.ts";
import type { FaultLab } from "./lab.ts";
import { ANSWERS, fails, type Outcome } from "./outcome.ts";

const BROKEN = fails(/Can't reach the API server .+: the connection was broken off/, "the connection was broken off");

const ENDS: Readonly<Record<"reset" | "closed", (client: Socket) => void>> = {
  reset,
  closed: (client) => client.end(),
};

const HANDSHAKE_BYTES = [1, 4, 60, 200, 500, 800];

const atTheHandshake: readonly FaultCase[] = Object.entries(ENDS).flatMap(([how, end]) => [
  {
    ...whole("connection lost in the TLS handshake", `${how} when it is accepted`, BROKEN),
    arrange: async (lab: FaultLab) => lab.connectToAddress(await lab.tcp(end)),
  },
  {
    ...whole("connection lost in the TLS handshake", `${how} after the greeting`, BROKEN),
    arrange: async (lab: FaultLab) =>
      void lab.connectToAddress(await lab.tcp((client) => void client.once("data", () => end(client)))),
  },
  ...HANDSHAKE_BYTES.map((bytes) => ({
    ...whole("connection lost in the TLS handshake", `${how} after ${bytes} bytes of the server's`, BROKEN),
    arrange: async (lab: FaultLab) => {
      const { url } = await lab.simulator();
      await lab.connectByLink(url, { bytes: () => bytes, end });
    },
  })),
]);

const inAnswers: readonly FaultCase[] = BREAK_POINTS.flatMap((at) =>
  (["reset", "close"] as const).flatMap((end) => [
    {
      ...whole("connection lost in the answer, always", `${end} ${at}`, BROKEN),
      arrange: async (lab: FaultLab) => (await lab.simulator()).fail({ path: "/api", fault: { at, end } }),
    },
    {
      ...whole("connection lost in the answer, once", `${end} ${at}`, ANSWERS),
      timeoutMs: LONG_MS,
      asked: ["explain", "list"] as const,
      arrange: async (lab: FaultLab) => {
        (await lab.simulator()).fail({ path: lab.mainPath, fault: { at, end }, times: 1 });
      },
    },
  ]),
);

const SWEEP_BYTES = Array.from({ length: 24 }, (_, index) => 900 + index * 173);

const anywhere: readonly FaultCase[] = SWEEP_BYTES.map((bytes) => ({
  ...whole("one connection lost somewhere, the others not", `after ${bytes} bytes of the server's`, ANSWERS),
  timeoutMs: LONG_MS,
  asked: ["explain"] as const,
  arrange: async (lab: FaultLab) => {
    const { url } = await lab.simulator();
    let connections = 0;
    const most = (): number => (connections++ === 0 ? bytes : Number.POSITIVE_INFINITY);
    await lab.connectByLink(url, { bytes: most, end: reset });
  },
}));

function whole(fault: string, variant: string, outcome: Outcome): Omit<FaultCase, "arrange"> {
  return { fault, variant, outcome, asked: MAIN_COMMANDS, timeoutMs: MIDDLE_MS };
}

export const CONNECTION_FAULTS: readonly FaultCase[] = [
  {
    ...whole("connection refused", "nobody listens", fails(/Can't reach .+ECONNREFUSED/, "cannot reach it")),
    arrange: async (lab) => lab.connectToAddress("127.0.0.1:1"),
  },
  ...atTheHandshake,
  ...inAnswers,
  ...anywhere,
];
