import { downsTold, ListHaul } from "../../lab/watch/list-haul.ts";
import { missedAndTwice, PodHaul } from "../../lab/watch/pod-haul.ts";
import { HOUR_MS } from "../../src/kubelet/go-duration.ts";
import { percent } from "../calibration/report.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

export async function longHaulSection({ isExtended }: Pick<Effort, "isExtended">): Promise<Section> {
  const [days, pods, crashing] = isExtended ? [7, 500, 10] : [1, 150, 2];
  const pod = new PodHaul();
  await pod.run(days);
  const list = new ListHaul(pods, crashing);
  await list.run(days);
  const left = [await pod.end(), await list.end()];
  const { kept, missed } = pod.predictions;
  return {
    title: "Watches that run for long",
    lines: [
      `In simulated time, ${days === 1 ? "a day" : `${days} days`} of \`explain --watch\` (one pod that crashes) and of \`list --watch\` (${pods} pods, of which ${crashing}`,
      "crash; every half minute one goes and another comes), with a fault every minute:",
      "",
      ...markdownTable(["fault", "explain -w", "list -w"], faultRows(pod, list)),
      "",
      "What was told is compared with what happened. *Unseen* are restarts that came and went while nothing could be heard;",
      "`explain -w` tells of them by their number. A list tells what is down while it is connected: *could be heard of* are the",
      "times that a container was down for three seconds or more of a connection. *Wrong lists*: what is down by the list is not",
      "what is down by the API, compared every three minutes while there is a connection.",
      "",
      ...markdownTable(["", "explain -w", "list -w"], [...toldRows(pod, list), ...requestRows(pod, list, days)]),
      "",
      `Of ${kept + missed} predictions that \`explain -w\` made meanwhile, ${percent(kept, kept + missed)} held. The longest time without a connection that it named`,
      `was ${(pod.longestLossMs / HOUR_MS).toFixed(1)} h. Here it looks at the clock every ten minutes and at news, not every second: but for the first such look after`,
      "somebody set a clock, the time on its screen was never off by more than",
      `${Math.ceil(pod.clockOffMs / 1000)} s. Of all pod versions it kept ${pod.mostEarlier} at most. Ended, the two left ${left.map(({ timers, watches }) => timers + watches).join(" and ")} timers and connections behind.`,
      "",
      "No watch is asked for more often than twelve times in any minute, whatever servers do; `explain -w` has three. The heap,",
      "after a garbage collection, is of one machine, and is that of the whole simulation.",
    ],
  };
}

function faultRows(pod: PodHaul, list: ListHaul): string[][] {
  return [...pod.faults.counts].map(([name, count]) => [name, `${count}`, `${list.faults.counts.get(name) ?? 0}`]);
}

function toldRows(pod: PodHaul, list: ListHaul): string[][] {
  const { total, missed, twice, made, unseen } = missedAndTwice(pod.told);
  const { downs, knowable, missed: missedInList } = downsTold(list);
  return [
    ["restarts", `${total}`, `${downs}`],
    ["unseen, or not to be heard of", `${unseen}`, `${downs - knowable}`],
    ["missed", `${missed}`, `${missedInList}`],
    ["told twice, or when it was over", `${twice}`, `${list.toldBackwards.length}`],
    ["told without having happened", `${made}`, "–"],
    ["wrong lists", "–", `${list.compared.different} of ${list.compared.times}`],
  ];
}

function requestRows(pod: PodHaul, list: ListHaul, days: number): string[][] {
  const both = (say: (haul: PodHaul | ListHaul) => string): string[] => [say(pod), say(list)];
  return [
    ["requests in an hour", ...both(({ requests }) => `${Math.round(requests.total / (24 * days))}`)],
    ["most requests in a minute", ...both(({ requests }) => `${requests.mostPerMinute}`)],
    ["heap after the first day", ...both(({ heapsMiB }) => `${Math.round(heapsMiB[1] ?? 0)} MiB`)],
    ["heap after the last day", ...both(({ heapsMiB }) => `${Math.round(heapsMiB.at(-1) ?? 0)} MiB`)],
  ];
}
