import { SINCE } from "./since.ts";
import { isAtLeast, type KubeletVersion } from "./version.ts";

/** What the key of a back-off entry is made of. */
export type KeyPart = "pod" | "namespace" | "uid" | "container" | "image" | "resources" | "spec-hash";

/** What gives a container a new entry, so that its delays begin anew. */
export type KeyChange = "image" | "resources" | "pod";

const OWNER: readonly KeyPart[] = ["pod", "namespace", "uid", "container"];

/**
 * What a kubelet keeps a container's back-off entry under; null: a kubelet whose version is unknown is taken for the newest.
 * Mirrors `GetBackoffKey`, and `GetStableKey` of older kubelets: see SINCE.
 */
export function backoffKeyParts(version: KubeletVersion | null): readonly KeyPart[] {
  return version === null || isAtLeast(version, SINCE.resourcesInKey)
    ? [...OWNER, "image", "resources"]
    : [...OWNER, "spec-hash"];
}

/**
 * What has to change for a new entry. Of a container's spec only these can, in a pod that is there.
 */
export function keyChanges(version: KubeletVersion | null): readonly KeyChange[] {
  return version === null || isAtLeast(version, SINCE.resizeResets) ? ["image", "resources", "pod"] : ["image", "pod"];
}
