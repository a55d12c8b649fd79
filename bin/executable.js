// The entry point of the executable that Bun compiles.

/** By this name kubectl runs what completes its plugin: a link to the executable does both. */
const COMPLETION = /kubectl_complete-backoff(\.exe)?$/;
const STARTED_MS = 1_000;

// The build makes the just-in-time compiler wait, because a short run ends before compiled code pays. A longer run gets the usual one.
setTimeout(() => globalThis.Bun?.unsafe.setJITPolicy(1), STARTED_MS).unref();

await import(COMPLETION.test(process.argv0) ? "./complete.js" : "./main.js");
