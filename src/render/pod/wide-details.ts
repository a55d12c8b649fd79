import type { ContainerExplanation, LastExit, PodExplanation } from "../../explain/answer/explanation.ts";
import { backoffKeyParts, type KeyChange, type KeyPart, keyChanges } from "../../kubelet/backoff-key.ts";
import { type KubeletVersion, parseKubeletVersion } from "../../kubelet/version.ts";
import { labelled, type Page } from "../page/page.ts";
import type { Times } from "../page/times.ts";

/** As wide as that of the notes above it. */
const LABEL_WIDTH = 11;

/** What holds for all of a pod's containers: its node, the kubelet's next sync, and what resets the back-offs that it has. */
export function podDetails(pod: PodExplanation, page: Page): string[] {
  const steps = pod.plan.map((step, index) => `${index + 1}. ${page.times.sentence(step)}`);
  return [
    ...labelled("node", LABEL_WIDTH, nodeWords(pod), page),
    ...steps.flatMap((step, index) => labelled(index === 0 ? "next sync" : "", LABEL_WIDTH, step, page)),
    ...labelled("reset by", LABEL_WIDTH, resetWords(pod), page),
  ].filter((line) => line !== "");
}

function nodeWords({ node, policy }: PodExplanation): string {
  if (node === null) return "none yet";
  return policy.kubeletVersion === null ? node : `${node} (kubelet ${policy.kubeletVersion})`;
}

function versionOf({ policy }: PodExplanation): KubeletVersion | null {
  return policy.kubeletVersion === null ? null : parseKubeletVersion(policy.kubeletVersion);
}

const CHANGES: Readonly<Record<KeyChange, string>> = {
  image: "a new image",
  resources: "changed resources",
  pod: "a new pod",
};

/** The back-off of a pull is kept by pod and image (`backOffKey`, pkg/kubelet/images/image_manager.go, v1.37.1). */
const PULL_CHANGES: readonly KeyChange[] = ["image", "pod"];

/** Empty where nothing backs off. */
function resetWords(pod: PodExplanation): string {
  const backsOff = pod.containers.some(({ delayMs, reset }) => (delayMs ?? 0) > 0 || reset !== null);
  const pulls = pod.containers.some(({ imagePull }) => imagePull !== null);
  if (!backsOff && !pulls) return "";
  const words = (backsOff ? keyChanges(versionOf(pod)) : PULL_CHANGES).map((change) => CHANGES[change]);
  const listed = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return `${listed}; a kubelet restart resets every container on the node`;
}

/** What is known of one container besides its cells in the table. */
export function containerDetails(pod: PodExplanation, container: ContainerExplanation, page: Page): string[] {
  const rows: readonly (readonly [string, string])[] = [
    ["image", container.image],
    ...(container.lastExit === null ? [] : exitRows(container.lastExit, page.times)),
    ["key", keyWords(pod, container)],
  ];
  return rows.flatMap(([label, text]) => labelled(label, LABEL_WIDTH, text, page));
}

function exitRows(exit: LastExit, times: Times): [string, string][] {
  const { startedAtMs, finishedAtMs, exitCode, signal, reason, message } = exit;
  const when = (atMs: number | null): string => (atMs === null ? "unknown" : times.instant(atMs));
  const facts = [`code ${exitCode}`, signal === null ? "no signal" : `signal ${signal}`];
  return [
    ["started", when(startedAtMs)],
    ["finished", when(finishedAtMs)],
    ["exit", [...facts, reason === null ? "no reason given" : `reason ${reason}`].join(", ")],
    ["message", message === null || message === "" ? "none" : message],
  ];
}

/** The parts in the order of the key; its resources are not among what was seen. */
function keyWords(pod: PodExplanation, { name, image }: ContainerExplanation): string {
  const words: Readonly<Record<KeyPart, string>> = {
    pod: `pod ${pod.name}`,
    namespace: `namespace ${pod.namespace}`,
    uid: `UID ${pod.uid ?? "unknown"}`,
    container: `container ${name}`,
    image: `image ${image}`,
    resources: "its resources",
    "spec-hash": "a hash of its spec",
  };
  const parts = backoffKeyParts(versionOf(pod)).map((part) => words[part]);
  return parts.join(", ");
}
