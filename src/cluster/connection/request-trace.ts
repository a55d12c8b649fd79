import { channel } from "node:diagnostics_channel";
import type { BegunAnswer } from "./http.ts";

/** A request to the API server, for --debug. A retry is another request. */
export interface TracedRequest {
  readonly url: URL;
  readonly sentAtMs: number;
  /** Null until the answer begins. */
  answer: BegunAnswer | null;
  bytes: number;
  /**
   * If no answer began: the error's code, e.g. "ECONNREFUSED", "aborted" if the program ended the request, or "error".
   * Else null.
   */
  failure: string | null;
}

/**
 * The diagnostics channels that report each step of a {@link TracedRequest}. This constant holds them, because Bun
 * forgets the subscribers of a channel that nothing refers to.
 */
export const REQUEST_CHANNELS = {
  sent: channel("backoff.request.sent"),
  begun: channel("backoff.request.begun"),
  ended: channel("backoff.request.ended"),
};

/** Sends a request with `begin`, and reports its steps on {@link REQUEST_CHANNELS}. */
export async function traced(url: URL, begin: () => Promise<BegunAnswer>): Promise<BegunAnswer> {
  const request: TracedRequest = { url, sentAtMs: performance.now(), answer: null, bytes: 0, failure: null };
  const report = (step: keyof typeof REQUEST_CHANNELS): void => REQUEST_CHANNELS[step].publish(request);
  report("sent");
  try {
    const answer = await begin();
    const heard = (bytes: number): void => {
      request.bytes += bytes;
      answer.heard(bytes);
    };
    request.answer = answer;
    report("begun");
    let isEnded = false;
    const ended = (): void => {
      if (!isEnded) report("ended");
      isEnded = true;
    };
    // After "end" the next requests leave. A body that breaks off has only "close".
    answer.body.once("end", ended).once("close", ended);
    return { ...answer, heard };
  } catch (error) {
    const { code, name } = (error ?? {}) as { code?: string; name?: string };
    request.failure = name === "AbortError" ? "aborted" : code || "error";
    report("ended");
    throw error;
  }
}
