/** A ConfigMap or a Secret from which a pod takes environment variables or files. */
export interface ConfigSource {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  /** Whether the pod's containers start without it. */
  readonly isOptional: boolean;
}

/** What the program keeps of the metadata of a ConfigSource. It never requests the values. */
export interface ConfigSnapshot extends Pick<ConfigSource, "kind" | "name"> {
  readonly createdAtMs: number | null;
  /** `metadata.resourceVersion`: higher for later writes of any object in the same etcd. */
  readonly version: number | null;
  /** The newest entry of `metadata.managedFields`: the program that wrote last, and when; null without one. */
  readonly lastWrite: { readonly by: string; readonly atMs: number } | null;
}

/** A version of an object, and when it was written. */
export interface DatedVersion {
  readonly version: number;
  readonly atMs: number;
}

/** The ConfigMaps and Secrets of a pod, and versions of other objects to date them by. */
export interface ConfigObservation {
  readonly sources: readonly ConfigSnapshot[];
  /** The versions of events, each with its time. */
  readonly events: readonly DatedVersion[];
  /** The versions of pods and ReplicaSets. They show whether the versions of different kinds are comparable. */
  readonly others: readonly DatedVersion[];
}
