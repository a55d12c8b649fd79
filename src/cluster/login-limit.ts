import { UserError } from "../errors.ts";
import { credentialsOf } from "./credentials.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Credentials } from "./renewable-credentials.ts";
import { RequestFailure } from "./request-failure.ts";
import { TimeLimit } from "./time-limit.ts";
import type { Timers } from "./timers.ts";
import { isObject } from "./untrusted.ts";

/** A plugin may open a browser and wait for somebody to log in there, which takes longer than any request. */
const PLUGIN_LIMIT_MS = 300_000;
/** An identity provider asks nobody. */
const PROVIDER_LIMIT_MS = 30_000;

/**
 * How to get a context's credentials within a time limit: --request-timeout if it was given (0: none), else as long as a
 * login takes. `nowMs`: the local clock. A UserError for a plugin or provider that does not answer, and it is stopped.
 */
export function credentialsInTime(
  context: ChosenContext,
  requestTimeoutMs: number | undefined,
  timers: Timers,
  nowMs: () => number,
): () => Promise<Credentials> {
  const limitMs = requestTimeoutMs ?? (isObject(context.user["exec"]) ? PLUGIN_LIMIT_MS : PROVIDER_LIMIT_MS);
  return async () => {
    const limit = new TimeLimit(limitMs, timers);
    try {
      return await limit.bind(() => credentialsOf(context, nowMs, limit.signal));
    } catch (error) {
      if (!(error instanceof RequestFailure && error.kind === "timeout")) throw error;
      throw new UserError("badCredentials", context.name, `there are none after ${limitMs / 1000}s`);
    }
  };
}
