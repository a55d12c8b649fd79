import type { Intervention } from "../recordings.ts";
import { kubectl } from "./kubectl.ts";
import type { PlannedPod } from "./namespace.ts";
import type { Prediction } from "./prediction.ts";
import { OTHER_IMAGE } from "./scenarios.ts";

/** Runs before the image is changed. */
const LEAST_RESTARTS = 4;
/** The change has to come before the end of the wait. */
const LEAST_REMAINING_MS = 5000;

/** True if the pod waits, has crashed a few times, and has enough of the wait left. */
function isTimeToChangeImage({ atMs, said }: Prediction, { scenario }: PlannedPod): boolean {
  const notBeforeMs = said.nextRestart?.notBeforeMs ?? atMs;
  const isDue = said.restartCount >= LEAST_RESTARTS && notBeforeMs - atMs >= LEAST_REMAINING_MS;
  return scenario.changesImage === true && isDue;
}

export class ImageChanger {
  readonly interventions: Intervention[] = [];
  readonly failures: string[] = [];
  readonly #pending: Map<string, PlannedPod>;
  readonly #namespace: string;

  constructor(pods: readonly PlannedPod[], namespace: string) {
    this.#pending = new Map(pods.map((pod) => [pod.name, pod]));
    this.#namespace = namespace;
  }

  /** A prediction shows how far its pod is. */
  consider(prediction: Prediction): void {
    const pod = this.#pending.get(prediction.pod);
    if (pod === undefined || !isTimeToChangeImage(prediction, pod)) return;
    this.#pending.delete(pod.name);
    this.#change(pod).catch((error: Error) => this.failures.push(`${pod.name}: ${error.message}`));
  }

  async #change({ name, node }: PlannedPod): Promise<void> {
    this.interventions.push({ atMs: Date.now(), node, pod: name, what: "the image was changed" });
    const patch = [{ op: "replace", path: "/spec/containers/0/image", value: OTHER_IMAGE }];
    const options = [`--namespace=${this.#namespace}`, "--type=json", `--patch=${JSON.stringify(patch)}`];
    await kubectl(["patch", "pod", name, ...options]);
  }
}
