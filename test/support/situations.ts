import type { Explanation } from "../../src/explain/answer/explanation.ts";
import * as crashes from "./crash-situations.ts";
import * as crowds from "./crowd-situations.ts";
import * as kills from "./kill-situations.ts";
import * as starts from "./start-situations.ts";
import * as stopped from "./stopped-situations.ts";

/** The keys are also the names of the golden files. */
export const SITUATIONS: Readonly<Record<string, Explanation>> = {
  "shown-as-error": crashes.shownAsError(),
  "shown-as-crash-loop-back-off": crashes.shownAsCrashLoopBackOff(),
  "wait-is-over": crashes.waitIsOver(),
  overdue: crashes.overdue(),
  "up-after-crashes": crashes.upAfterCrashes(),
  "init-loop": starts.initLoop(),
  "killed-by-liveness": kills.killedByLiveness(),
  "out-of-memory": kills.outOfMemory(),
  "reset-during-the-wait": kills.resetDuringTheWait(),
  healthy: starts.healthy(),
  "image-pull-back-off": starts.imagePullBackOff(),
  "start-failing": starts.startFailing(),
  "without-node": starts.withoutNode(),
  initializing: starts.initializing(),
  completed: stopped.completed(),
  failed: stopped.failed(),
  terminating: stopped.terminating(),
  "node-not-ready": stopped.nodeNotReady(),
  "without-status": stopped.withoutStatus(),
  "many-containers": crowds.manyContainers(),
  "many-pods": crowds.manyPods(),
  "wide-characters": crowds.wideCharacters(),
};
