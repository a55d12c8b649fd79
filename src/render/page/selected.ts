import { harmless } from "./harmless.ts";

/** Returns ' of pods that match "app=web"'; "" without a selector. */
export function ofPodsThatMatch(selector: string | undefined): string {
  return selector === undefined ? "" : ` of pods that match ${harmless(JSON.stringify(selector))}`;
}
