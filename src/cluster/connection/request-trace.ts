import { channel } from "node:diagnostics_channel";
import type { BegunAnswer } from "./http.ts";

/** A request to the API server, for --debug. A retry is another request. */
export interface TracedRequest {
  readonly url: URL;
  readonly sentAtMs: number;
  /** Null until the answer begins. */
  answer: BegunAnswer | null;
  bytes: number;
  /** The code of the error instead of an answer, e.g. "ECONNREFUSED". */
  failure: string | null;
}

/** The diagnostics channels that get a {@link TracedRequest} at each of its steps. */
export const REQUEST_CHANNELS = {
  sent: "backoff.request.sent",
  begun: "backoff.request.begun",
  ended: "backoff.request.ended",
};

/** Sends a request with `begin`, and reports its steps on {@link REQUEST_CHANNELS}. */
export async function traced(url: URL, begin: () => Promise<BegunAnswer>): Promise<BegunAnswer> {
  const request: TracedRequest = { url, sentAtMs: performance.now(), answer: null, bytes: 0, failure: null };
  const report = (step: keyof typeof REQUEST_CHANNELS): void => channel(REQUEST_CHANNELS[step]).publish(request);
  report("sent");
  try {
    const answer = await begin();
    const heard = (bytes: number): void => {
      request.bytes += bytes;
      answer.heard(bytes);
    };
    request.answer = answer;
    report("begun");
    answer.body.once("close", () => report("ended"));
    return { ...answer, heard };
  } catch (error) {
    const { code = "error", name } = (error ?? {}) as { code?: string; name?: string };
    request.failure = name === "AbortError" ? "aborted" : code;
    report("ended");
    throw error;
  }
}
