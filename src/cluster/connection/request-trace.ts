import { channel } from "node:diagnostics_channel";
import type { BegunAnswer } from "./http.ts";
import { connectionFailure } from "./request-failure.ts";

/** A request to the API server, for --debug. A retry is another request. */
export interface TracedRequest {
  readonly url: URL;
  readonly sentAtMs: number;
  /** Null until the answer begins. */
  answer: BegunAnswer | null;
  bytes: number;
  /** If no answer began: the error's code, "aborted" if the program ended the request, or "error". */
  failure: string | null;
}

export interface RequestStep {
  readonly step: "sent" | "begun" | "ended";
  readonly request: TracedRequest;
}

/** Each message is a {@link RequestStep}. A constant, because Bun forgets the subscribers of a channel without one. */
export const REQUEST_CHANNEL = channel("backoff.request");

export async function traced(url: URL, begin: () => Promise<BegunAnswer>): Promise<BegunAnswer> {
  const request: TracedRequest = { url, sentAtMs: performance.now(), answer: null, bytes: 0, failure: null };
  const report = (step: RequestStep["step"]): void => REQUEST_CHANNEL.publish({ step, request });
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
    const isAborted = error instanceof Error && error.name === "AbortError";
    request.failure = isAborted ? "aborted" : connectionFailure(error).code || "error";
    report("ended");
    throw error;
  }
}
