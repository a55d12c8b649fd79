import type { KubeletConfig } from "../../explain/observed/observation.ts";
import { fetched } from "../api/fetched.ts";
import type { Connection } from "../connection/connection.ts";
import { at } from "../objects/json-access.ts";
import { toKubeletConfig } from "../objects/node.ts";

/** `KubeletBaseConfigurationConfigMap` (v1.37.1, cmd/kubeadm/app/constants/constants.go). */
const PATH = "/api/v1/namespaces/kube-system/configmaps/kubelet-config";

const asked = new WeakMap<Connection, Promise<KubeletConfig | null>>();

/** Reads kubeadm's configuration for all kubelets. A kubelet's own configuration can differ. */
export function kubeadmConfig(connection: Connection): Promise<KubeletConfig | null> {
  const known = asked.get(connection) ?? read(connection);
  asked.set(connection, known);
  return known;
}

async function read(connection: Connection): Promise<KubeletConfig | null> {
  const { value } = await fetched(() => connection.get(PATH));
  const text = at(value?.body, "data", "kubelet");
  if (typeof text !== "string") return null;
  const { load } = await import("js-yaml");
  try {
    const config = toKubeletConfig(load(text));
    return config && { ...config, source: "kubeadm" };
  } catch {
    return null;
  }
}
