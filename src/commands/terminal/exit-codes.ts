// The help and docs/ name some of these codes, too.

export const FAILED = 1;
export const WRONG_USAGE = 2;
/** `explain --exit-code`: a pod crash-loops. */
export const CRASH_LOOPING = 3;
/** `explain --exit-code=any`: no pod crash-loops, but a pod is down or a Job has failed. */
export const DOWN = 4;
/** --timeout has passed. timeout(1) uses the same code. */
export const TIMED_OUT = 124;
/** As in shells: 128 + the signal's number. */
export const AFTER_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export const INTERRUPTED = AFTER_SIGNAL.SIGINT;
