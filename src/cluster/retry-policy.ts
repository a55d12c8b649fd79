import { STRATEGIES } from "../backoff/jitter-strategies.ts";
import type { RequestFailure } from "./request-failure.ts";

/** What is known of a request that has failed, besides its failure. */
export interface Tried {
  /** How often it has been sent again already. */
  readonly retries: number;
  /** Whether the answer is complete without it: then nobody waits long for it. */
  readonly isOptional: boolean;
  /** Whether this server has answered anything before: one that then refuses connections is probably being restarted. */
  readonly hasAnswered: boolean;
}

/** A server that asks to be asked later is asked so often. Mirrors `maxRetries` (client-go v0.37.1, rest/request.go). */
const MOST_WHEN_ASKED = 10;
/** A connection that breaks five times within seconds is not going to hold. */
const MOST_WHEN_BROKEN = 5;
const MOST_WHEN_OPTIONAL = 1;
const LONGEST_WHEN_OPTIONAL_MS = 1_000;
/** Whoever asks for more is not waited for, whatever --request-timeout allows. */
const LONGEST_MS = 60_000;
const PAUSES = { baseMs: 100, capMs: 2_000 } as const;

/**
 * How long to wait before a GET is sent again, in milliseconds; null if it is not. `random` is from 0 to 1.
 *
 * Sent again is what the server turned away with the wish to be asked later (Retry-After with 429 or 5xx), and what lost its
 * connection before the answer was whole. Mirrors `checkWait` and `isErrRetryableFunc` (client-go v0.37.1, rest/with_retry.go,
 * rest/request.go) with two differences: pauses grow and have full jitter instead of being a second each, so that clients
 * which lost a server together do not come back together; and an answer that broke off in the middle counts as well, as does a
 * refused connection to a server that has answered before, for a GET may be repeated at any time. Everything else would only
 * fail again: a 5xx without Retry-After, an answer that cannot be read, a certificate that is not trusted, time that is up.
 */
export function pauseBeforeRetryMs(failure: RequestFailure, tried: Tried, random: () => number): number | null {
  const isAsked = failure.retryAfterMs !== null;
  if (!isAsked && !isBroken(failure, tried)) return null;
  const most = tried.isOptional ? MOST_WHEN_OPTIONAL : isAsked ? MOST_WHEN_ASKED : MOST_WHEN_BROKEN;
  if (tried.retries >= most) return null;
  const pauseMs = (failure.retryAfterMs ?? 0) + STRATEGIES.full(tried.retries, 0, PAUSES, random);
  return pauseMs <= (tried.isOptional ? LONGEST_WHEN_OPTIONAL_MS : LONGEST_MS) ? pauseMs : null;
}

function isBroken({ lost }: RequestFailure, { hasAnswered }: Tried): boolean {
  return lost === "broken" || (lost === "refused" && hasAnswered);
}
