/** A ConfigMap or a Secret from which a pod takes environment variables or files. */
export interface ConfigSource {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  /** Whether the pod's containers start without it. */
  readonly isOptional: boolean;
}
