// The entry point of the executable that Bun compiles.
import { fullGC } from "bun:jsc";

/** By this name kubectl runs what completes its plugin: a link to the executable does both. */
const COMPLETION = /kubectl_complete-backoff(\.exe)?$/;
const STARTED_MS = 1_000;

// The build makes the just-in-time compiler wait, because a short run ends before compiled code pays. A longer run gets the usual one.
setTimeout(() => globalThis.Bun?.unsafe.setJITPolicy(1), STARTED_MS).unref();

const COLLECT_EVERY_MS = 500;

// The collector leaves much of what a long list has read until later. While the program is busy, it collects twice a second.
let used = process.cpuUsage();
setInterval(() => {
  const { user, system } = process.cpuUsage(used);
  used = process.cpuUsage();
  if (user + system > (COLLECT_EVERY_MS * 1_000) / 2) fullGC();
}, COLLECT_EVERY_MS).unref();

await import(COMPLETION.test(process.argv0) ? "./complete.js" : "./main.js");
