// The entry point of the executable that Bun compiles.
import { fullGC } from "bun:jsc";

/** kubectl completes a plugin with a program of this name. A release has a link of this name to the executable. */
const COMPLETION = /kubectl_complete-backoff(\.exe)?$/;
const SHORT_RUN_MS = 1_000;

// The build delays just-in-time compilation, which is too slow for a short run. A longer run gets Bun's default.
setTimeout(() => globalThis.Bun?.unsafe.setJITPolicy(1), SHORT_RUN_MS).unref();

const CHECK_EVERY_MS = 50;
const CPU_MS_PER_COLLECTION = 150;
const COLLECTIONS_PER_RELEASE = 3;

// While the program reads a long list, Bun's own collection comes too late. `Bun.gc` also gives free memory back to the
// system, which takes longer.
let used = process.cpuUsage();
let collections = 0;
setInterval(() => {
  const { user, system } = process.cpuUsage(used);
  if (user + system < CPU_MS_PER_COLLECTION * 1_000) return;
  if (++collections % COLLECTIONS_PER_RELEASE === 0) globalThis.Bun.gc(true);
  else fullGC();
  used = process.cpuUsage();
}, CHECK_EVERY_MS).unref();

await import(COMPLETION.test(process.argv0) ? "./complete.js" : "./main.js");
