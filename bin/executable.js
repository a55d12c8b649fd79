// The entry point of the executable that Bun compiles.
import { fullGC } from "bun:jsc";

/** By this name kubectl runs what completes its plugin: a link to the executable does both. */
const COMPLETION = /kubectl_complete-backoff(\.exe)?$/;
const STARTED_MS = 1_000;

// The build makes the just-in-time compiler wait, because a short run ends before compiled code pays. A longer run gets the usual one.
setTimeout(() => globalThis.Bun?.unsafe.setJITPolicy(1), STARTED_MS).unref();

const LOOK_EVERY_MS = 50;
const COLLECT_AFTER_MS = 150;
const RELEASE_EVERY = 3;

// The collector leaves much of what a long list has read until later. After every 150 ms of work the program collects garbage;
// every third time it also gives free memory back to the system, which takes longer.
let used = process.cpuUsage();
let collections = 0;
setInterval(() => {
  const { user, system } = process.cpuUsage(used);
  if (user + system < COLLECT_AFTER_MS * 1_000) return;
  if (++collections % RELEASE_EVERY === 0) globalThis.Bun.gc(true);
  else fullGC();
  used = process.cpuUsage();
}, LOOK_EVERY_MS).unref();

await import(COMPLETION.test(process.argv0) ? "./complete.js" : "./main.js");
