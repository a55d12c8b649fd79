import { ANSWER_FAULTS } from "./faults-catalogue-answers.ts";
import { BODY_FAULTS } from "./faults-catalogue-bodies.ts";
import type { FaultCase } from "./faults-catalogue-case.ts";
import { CLOCK_FAULTS } from "./faults-catalogue-clocks.ts";
import { CONNECTION_FAULTS } from "./faults-catalogue-connections.ts";
import { GAP_FAULTS } from "./faults-catalogue-gaps.ts";
import { LIST_FAULTS } from "./faults-catalogue-lists.ts";
import { STALL_FAULTS } from "./faults-catalogue-stalls.ts";
import { TLS_FAULTS } from "./faults-catalogue-tls.ts";
import { WATCH_FAULTS } from "./faults-catalogue-watches.ts";

/** Every way in which networks, proxies and API servers were made to fail, and what has to come of it. */
export const ALL_FAULTS: readonly FaultCase[] = [
  ...CONNECTION_FAULTS,
  ...STALL_FAULTS,
  ...TLS_FAULTS,
  ...ANSWER_FAULTS,
  ...BODY_FAULTS,
  ...GAP_FAULTS,
  ...LIST_FAULTS,
  ...WATCH_FAULTS,
  ...CLOCK_FAULTS,
];
