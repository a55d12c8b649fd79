import { UserError } from "../../errors.ts";
import { RequestFailure } from "../connection/request-failure.ts";

/**
 * Whether a failure may pass by itself, so that trying again makes sense: all that server, network and login can do, but not
 * a lack of rights; and not a bug.
 */
export function isPassing(error: unknown): error is Error {
  if (error instanceof RequestFailure) return error.kind !== "forbidden";
  return error instanceof UserError && error.code === "badCredentials";
}

/** Whether rights are missing. */
export function isForbidden(error: unknown): error is RequestFailure {
  return error instanceof RequestFailure && error.kind === "forbidden";
}
