import { ANSWER_FAULTS } from "./answers.ts";
import { BODY_FAULTS } from "./bodies.ts";
import { type FaultCase, PROTOCOLS } from "./case.ts";
import { CATCH_FAULTS } from "./catches.ts";
import { CLOCK_FAULTS } from "./clocks.ts";
import { CONNECTION_FAULTS } from "./connections.ts";
import { GAP_FAULTS } from "./gaps.ts";
import { HTTP2_FAULTS } from "./http2.ts";
import { LIST_FAULTS } from "./lists.ts";
import { STALL_FAULTS } from "./stalls.ts";
import { TLS_FAULTS } from "./tls.ts";
import { WATCH_FAULTS } from "./watches.ts";

export const NETWORK_FAULTS: readonly FaultCase[] = [
  ...CONNECTION_FAULTS,
  ...HTTP2_FAULTS,
  ...STALL_FAULTS,
  ...TLS_FAULTS,
  ...WATCH_FAULTS,
  ...CATCH_FAULTS,
];

export const SERVER_FAULTS: readonly FaultCase[] = [
  ...ANSWER_FAULTS,
  ...BODY_FAULTS,
  ...GAP_FAULTS,
  ...LIST_FAULTS,
  ...CLOCK_FAULTS,
];

export const ALL_FAULTS: readonly FaultCase[] = [...NETWORK_FAULTS, ...SERVER_FAULTS];

/** Each case keeps one of its questions and one of its protocols, chosen in turn. */
export function withOneQuestion(cases: readonly FaultCase[]): readonly FaultCase[] {
  return cases.map((faultCase, index) => ({
    ...faultCase,
    asked: nth(faultCase.asked, index),
    protocols: nth(faultCase.protocols ?? PROTOCOLS, Math.floor(index / faultCase.asked.length)),
  }));
}

function nth<T>(all: readonly T[], index: number): readonly T[] {
  return all.slice(index % all.length).slice(0, 1);
}
