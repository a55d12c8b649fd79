import { isAtLeast, type KubeletVersion } from "./version.ts";

/** What the key of a back-off entry is made of. */
export type KeyPart = "pod" | "namespace" | "uid" | "container" | "image" | "resources" | "spec-hash";

/** What gives a container a new entry, so that its delays begin anew. */
export type KeyChange = "image" | "resources" | "pod";

const OWNER: readonly KeyPart[] = ["pod", "namespace", "uid", "container"];

/**
 * What a kubelet keeps a container's back-off entry under; null: a kubelet whose version is unknown is taken for the newest.
 *
 * Mirrors `GetBackoffKey` (kubernetes v1.34.4 and v1.37.1, pkg/kubelet/kuberuntime/helpers.go), and up to v1.33 `GetStableKey`
 * there (read in v1.33.0), which takes a hash of the container's spec instead: `HashContainer`.
 */
export function backoffKeyParts(version: KubeletVersion | null): readonly KeyPart[] {
  return version === null || isAtLeast(version, 34) ? [...OWNER, "image", "resources"] : [...OWNER, "spec-hash"];
}

/**
 * What has to change for a new entry. Of a container's spec only these can, in a pod that is there. Resources count since v1.33,
 * which empties the entry when they do (`handlePodResourcesResize`, kubernetes v1.33.0, pkg/kubelet/kubelet.go).
 */
export function keyChanges(version: KubeletVersion | null): readonly KeyChange[] {
  return version === null || isAtLeast(version, 33) ? ["image", "resources", "pod"] : ["image", "pod"];
}
