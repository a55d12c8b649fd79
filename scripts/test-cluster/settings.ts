import { parseArgs } from "node:util";

export const USAGE = [
  "Usage: npm run test:cluster -- [--minutes N] [--restart-kubelet COMMAND] [--as-kubeconfig FILE] [--record FOLDER]",
  "                               [--namespace NAME] [--scenario NAME] [--misses N]",
  "Crashes pods in a namespace of its own on every ready node of the cluster that kubectl talks to, and compares what is",
  "predicted with what happens. The nodes must hold the images localhost/busybox:1 and localhost/busybox:2 (the same).",
].join("\n");

export interface Settings {
  readonly minutes: number;
  /** A shell command that restarts kubelets, run half-way. */
  readonly restartKubelet: string | null;
  /** The observations have these rights; null: those of kubectl. */
  readonly asKubeconfig: string | null;
  readonly record: string | null;
  readonly namespace: string;
  /** Only scenarios whose name contains this. */
  readonly scenario: string;
  readonly misses: number;
}

/** Throws a sentence for the user. */
export function settingsFrom(args: string[]): Settings {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "12" },
      "restart-kubelet": { type: "string" },
      "as-kubeconfig": { type: "string" },
      record: { type: "string" },
      namespace: { type: "string", default: "backoff-test" },
      scenario: { type: "string", default: "" },
      misses: { type: "string", default: "20" },
    },
  });
  return {
    minutes: numberFrom(values.minutes, "--minutes"),
    restartKubelet: values["restart-kubelet"] ?? null,
    asKubeconfig: values["as-kubeconfig"] ?? null,
    record: values.record ?? null,
    namespace: values.namespace,
    scenario: values.scenario,
    misses: numberFrom(values.misses, "--misses"),
  };
}

function numberFrom(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 24 * 60)) throw new Error(`${flag} cannot be "${text}".`);
  return value;
}
