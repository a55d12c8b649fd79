import type { Lane, Timeline } from "./timeline.ts";

/** What a picture shows, in sentences: one per lane. */
export function describeTimeline({ lanes }: Timeline): string {
  return lanes.map(describeLane).join(" ");
}

function describeLane({ name, role, state, runs, waits, next, reset, remark }: Lane): string {
  const unseen = runs.filter(({ basis }) => basis === "inferred").length;
  const lengths = waits.filter(({ basis }) => basis === "seen").map(({ label }) => label);
  const parts = [
    `${counted(runs.length - unseen, "run")} observed`,
    ...(unseen > 0 ? [`${counted(unseen, "run")} before that not observed`] : []),
    ...(lengths.length > 0 ? [`waits of ${lengths.slice(-5).join(", ")}`] : []),
    ...(next === null ? [] : [next.label]),
    ...(reset === null ? [] : [lowerFirst(reset.title)]),
    ...(remark === "" ? [] : [remark]),
  ];
  return `${name}${role} (${state}): ${parts.join("; ")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
