import type { NextStep } from "../answer/explanation.ts";

/** The commands about one pod, its node and its owners. */
export interface PodCommands {
  /** `kubectl WORDS… -n NAMESPACE`, a step that only reads. */
  read(what: string, ...words: readonly string[]): NextStep;
  /** The same for a step that changes the cluster. */
  change(what: string, note: string, ...words: readonly string[]): NextStep;
  /** `kubectl logs` of a container. */
  logs(what: string, container: string, options: readonly string[], note?: string): NextStep;
  /** Waits until the container has restarted, and then follows its log. */
  catchStart(what: string, container: string, timeout: string): NextStep;
  /** `kubectl describe node NODE`. */
  describeNode(node: string): NextStep;
}

/** `flags`: those by which the user has chosen the cluster. */
export function podCommands(pod: { namespace: string; name: string }, flags: readonly string[]): PodCommands {
  const scope = ["-n", pod.namespace, ...flags];
  const reading = (what: string, command: string, note: string | null = null): NextStep => {
    return { what, command, changesCluster: false, note };
  };
  const of = (container: string): string[] => [pod.name, "-n", pod.namespace, "-c", container];
  return {
    read: (what, ...words) => reading(what, kubectl(...words, ...scope)),
    change: (what, note, ...words) => ({ what, command: kubectl(...words, ...scope), changesCluster: true, note }),
    logs: (what, container, options, note) =>
      reading(what, kubectl("logs", ...of(container), ...options, ...flags), note),
    catchStart: (what, container, timeout) => {
      const limits = ["--for=restart", `--timeout=${timeout}`];
      const wait = kubectl("backoff", "wait", ...of(container), ...limits, ...flags);
      return reading(what, `${wait} && ${kubectl("logs", "-f", ...of(container), ...flags)}`);
    },
    describeNode: (node) => reading("check the node", kubectl("describe", "node", node, ...flags)),
  };
}

/** A kubectl command line for a POSIX shell. */
function kubectl(...words: readonly string[]): string {
  return ["kubectl", ...words].map(shellWord).join(" ");
}

/** A word in single quotes, unless the shell takes it as it is anyway. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
