import type { ContainerExplanation, NextStep, PodExplanation } from "../answer/explanation.ts";
import type { ConfigSource, PodObservation } from "../observed/observation.ts";
import { shellWord } from "../observed/shell-word.ts";

const KEYS_ONLY = "go-template={{range $k, $v := .data}}{{println $k}}{{end}}";

type PodCommands = ReturnType<typeof podCommands>;

export function commandsIn(namespace: string, flags: readonly string[]) {
  const scope = ["-n", namespace, ...flags];
  return {
    read: (what: string, ...words: string[]) => reading(what, kubectl(...words, ...scope)),
    change: (what: string, note: string, words: readonly string[], last: readonly string[] = []): NextStep => {
      return { what, command: kubectl(...words, ...scope, ...last), changesCluster: true, note };
    },
  };
}

function reading(what: string, command: string, note: string | null = null): NextStep {
  return { what, command, changesCluster: false, note };
}

export function podCommands(pod: { namespace: string; name: string }, flags: readonly string[]) {
  const of = (container: string): string[] => [pod.name, "-n", pod.namespace, "-c", container];
  const inNamespace = commandsIn(pod.namespace, flags);
  return {
    ...inNamespace,
    logs: (what: string, container: string, options: readonly string[], note?: string) =>
      reading(what, kubectl("logs", ...of(container), ...options, ...flags), note),
    explain: (what: string, name: string) =>
      reading(what, kubectl("backoff", "explain", name, "-n", pod.namespace, ...flags)),
    followStart: (what: string, container: string, timeout: string) => {
      const limits = ["--for=restart", `--timeout=${timeout}`];
      const wait = kubectl("backoff", "wait", ...of(container), ...limits, ...flags);
      return reading(what, `${wait} && ${kubectl("logs", "-f", ...of(container), ...flags)}`);
    },
    raw: (what: string, path: string, note: string) => reading(what, kubectl("get", "--raw", path, ...flags), note),
    /**
     * No command for a Secret uses `kubectl describe`, which prints the token of a service account (`describeSecret`,
     * k8s.io/kubectl v0.37.1, pkg/describe/describe.go).
     */
    config: (what: string, kind: ConfigSource["kind"], names: readonly string[]) =>
      inNamespace.read(what, kind === "Secret" ? "get" : "describe", kind.toLowerCase(), ...names),
    secretKeys: (name: string) => inNamespace.read("see its keys", "get", "secret", name, "-o", KEYS_ONLY),
    describePod: (what: string) => reading(what, kubectl("describe", "pod", pod.name, "-n", pod.namespace, ...flags)),
    nodes: () => reading("list the nodes there are", kubectl("get", "nodes", ...flags)),
    describeNode: (node: string) => reading("check the node", kubectl("describe", "node", node, ...flags)),
  };
}

function kubectl(...words: readonly string[]): string {
  return ["kubectl", ...words].map(shellWord).join(" ");
}

export interface Subject {
  readonly pod: PodExplanation;
  readonly observed: PodObservation;
  /** The container that the user asks about, or else the pod's main container. */
  readonly container: ContainerExplanation | undefined;
  readonly atMs: number;
  readonly commands: PodCommands;
}
