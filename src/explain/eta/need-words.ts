import type { EtaNeed, NamespacedOwner } from "../answer/eta.ts";
import { type Prose, prose } from "../answer/prose.ts";
import { byName, namesOf } from "../common.ts";
import { nameOfNeed, needFields, whyNothingAnswers } from "../needed-service.ts";
import { distinct, podKey, podKeyOf } from "../observed/lookups.ts";
import type { DownPod, PlacedNeed } from "./needs.ts";
import type { EtaPart, EtaStart } from "./parts.ts";

export function etaNeeds(needs: readonly PlacedNeed[], { down }: EtaPart): EtaNeed[] {
  const starts = Map.groupBy(down, ({ likeness }) => likeness);
  const needed = needs.filter(({ likeness }) => starts.has(likeness));
  const same = Map.groupBy(needed, ({ need, effect }) =>
    JSON.stringify([need.address.host, need.address.port, need.namespace, need.service?.name, effect]),
  );
  const found = [...same.values()].map(([first, ...others]): EtaNeed => {
    const one = first as PlacedNeed;
    const { need, effect, pods } = one;
    const by = [one, ...others].flatMap(({ likeness }) => starts.get(likeness) ?? []);
    return {
      ...needFields(need),
      pods: (need.pods ?? []).map(({ pod }) => {
        const start = [...down, ...pods.down].find(({ container }) => podKeyOf(container) === podKey(pod));
        return { name: pod.name, nextRestart: start?.container.nextRestart ?? null };
      }),
      neededBy: workloadsOf(by),
      effect,
      sentence: sentenceOf(one, by),
    };
  });
  return found.toSorted((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect));
}

const EFFECTS: readonly EtaNeed["effect"][] = ["waits", "no-forecast", "taken-as-ready", "loop", "none"];

function workloadsOf(starts: readonly EtaStart[]): NamespacedOwner[] {
  return distinct(starts.map(({ workload }) => workload)).toSorted(byName);
}

function sentenceOf({ need, effect, awaited, window }: PlacedNeed, by: readonly EtaStart[]): Prose | null {
  const workloads = workloadsOf(by);
  const pods = new Set(by.map(({ container }) => podKeyOf(container))).size;
  const isOne = workloads.length === 1;
  const who = `${namesOf(workloads)} (${pods === 1 ? "1 pod" : `${pods} pods`}) ${isOne ? "needs" : "need"}`;
  const lead = `${who} ${nameOfNeed(need)} (inferred from ${isOne ? "its last output" : "their last output"})`;
  const why = whyNothingAnswers(need);
  switch (effect) {
    case "none":
      return why === null ? null : `${lead}, but ${why}.`;
    case "loop":
      return `${lead}, which needs ${isOne ? "it" : "them"}, too. The forecast lets neither wait for the other.`;
    case "taken-as-ready":
      return `${lead}, but ${notReadyWords(need)}. The forecast assumes that this is fixed now, too.`;
    case "no-forecast":
      return `${lead}, but ${why ?? whyUnknown(need)}, so there is no forecast.`;
    case "waits": {
      const [fromMs, byMs] = [window?.notBeforeMs ?? 0, window?.likelyByMs ?? 0];
      const each = pods === 1 ? "It" : "Each";
      return prose`${lead}. ${each} is up again at its first restart after ${oneOf(awaited)} is up (between ${{ atMs: fromMs }} and ${{ atMs: byMs }}).`;
    }
  }
}

function whyUnknown({ endpoints }: PlacedNeed["need"]): string {
  if (endpoints === null) return "the start of its pods can't be predicted";
  return `it has ${endpoints.ready} of ${endpoints.total} ready endpoints, and nothing shows when that changes`;
}

function notReadyWords({ pods }: PlacedNeed["need"]): string {
  const names = (pods ?? []).map(({ pod: { name } }) => name);
  if (names.length > MOST_NAMED) return `none of its ${names.length} pods is Ready`;
  return `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} not Ready`;
}

const MOST_NAMED = 2;

function oneOf(pods: readonly DownPod[]): string {
  if (pods.length > MOST_NAMED) return `the first of its ${pods.length} pods`;
  return pods.map(({ name }) => name).join(" or ");
}
