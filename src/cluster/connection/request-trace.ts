import { channel } from "node:diagnostics_channel";
import type { BegunAnswer } from "./http.ts";
import { connectionFailure } from "./request-failure.ts";

export interface TracedRequest {
  step: "sent" | "begun" | "ended";
  readonly url: URL;
  readonly sentAtMs: number;
  answer: BegunAnswer | null;
  bytes: number;
  /** "aborted" means that the program itself ended the request before an answer began. */
  failure: string | null;
}

/** Bun can forget the subscribers of a channel that no variable holds. */
export const REQUEST_CHANNEL = channel("backoff.request");

export async function traced(url: URL, begin: () => Promise<BegunAnswer>): Promise<BegunAnswer> {
  const request: TracedRequest = {
    step: "sent",
    url,
    sentAtMs: performance.now(),
    answer: null,
    bytes: 0,
    failure: null,
  };
  const report = (step: TracedRequest["step"]): void => REQUEST_CHANNEL.publish(Object.assign(request, { step }));
  report("sent");
  try {
    const answer = await begin();
    const heard = (bytes: number): void => {
      request.bytes += bytes;
      answer.heard?.(bytes);
    };
    request.answer = answer;
    report("begun");
    const ended = (): void => {
      if (request.step !== "ended") report("ended");
    };
    // A body that breaks off may not emit "end".
    answer.body.once("end", ended).once("close", ended);
    return { ...answer, heard };
  } catch (error) {
    const isAborted = error instanceof Error && error.name === "AbortError";
    request.failure = isAborted ? "aborted" : connectionFailure(error).code || "error";
    report("ended");
    throw error;
  }
}
