import { parseArgs } from "node:util";

export const USAGE = [
  "Usage: npm run test:cluster -- [--minutes N] [--as-kubeconfig FILE] [--record FOLDER] [--namespace NAME]",
  "                               [--scenario NAME] [--misses N]",
  "Crashes pods in a namespace of its own on every ready node of the cluster that kubectl talks to, and compares what is",
  "predicted with what happens. The nodes must hold the image localhost/busybox:1.",
].join("\n");

export type Settings = ReturnType<typeof settingsFrom>;

export function settingsFrom(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "12" },
      "as-kubeconfig": { type: "string" },
      record: { type: "string" },
      namespace: { type: "string", default: "backoff-test" },
      scenario: { type: "string", default: "" },
      misses: { type: "string", default: "20" },
    },
  });
  return {
    ...values,
    minutes: numberFrom(values.minutes, "--minutes"),
    misses: numberFrom(values.misses, "--misses"),
    /** The observations have these rights; undefined: those of kubectl. */
    asKubeconfig: values["as-kubeconfig"],
  };
}

function numberFrom(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 24 * 60)) throw new Error(`${flag} cannot be "${text}".`);
  return value;
}
