/** A ConfigMap or a Secret from which a pod takes environment variables or files. */
export interface ConfigSource {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  /** Whether the pod's containers start even if it does not exist. */
  readonly isOptional: boolean;
}

/** The metadata of a ConfigMap or Secret that the program keeps. It never requests the values. */
export interface ConfigSnapshot extends Pick<ConfigSource, "kind" | "name"> {
  readonly createdAtMs: number | null;
  /** `metadata.resourceVersion`: a later write of any object in the same etcd gets a higher one. Null: no number. */
  readonly version: number | null;
  /** The newest entry of `metadata.managedFields`: the manager that wrote last, and when; null if there is none. */
  readonly lastWrite: { readonly by: string; readonly atMs: number } | null;
}

/** The resourceVersion of an object, and when this version was written. */
export interface DatedVersion {
  readonly version: number;
  readonly atMs: number;
}

/** The ConfigMaps and Secrets of a pod, and versions of other objects that show when these were written. */
export interface ConfigObservation {
  readonly sources: readonly ConfigSnapshot[];
  /** The versions of events. An event's last time counts as the time of its version. */
  readonly events: readonly DatedVersion[];
  /** The versions of pods and ReplicaSets. They show whether the versions of different kinds are comparable. */
  readonly others: readonly DatedVersion[];
}
