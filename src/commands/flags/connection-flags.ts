import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import { withoutLogin } from "../../errors.ts";
import { REQUEST_TIMEOUT } from "./flag-values.ts";
import { DEBUG_FLAG, KUBELET_FLAGS, REPEATED, stringFlag, valueFlag } from "./flags.ts";

/** All flags of `kubectl options` (v1.37.1). */
export const CONNECTION_FLAGS = {
  namespace: Flags.string({ char: "n", helpValue: "NAME", description: "Namespace to use instead of the context's" }),
  kubeconfig: stringFlag("FILE", "Kubeconfig to use instead of KUBECONFIG and ~/.kube/config"),
  context: stringFlag("NAME", "Context of the kubeconfig to use"),
  cluster: stringFlag("NAME", "Cluster of the kubeconfig to use"),
  user: stringFlag("NAME", "User of the kubeconfig to use"),
  server: Flags.string({ char: "s", helpValue: "URL", description: "Address of the API server" }),
  "tls-server-name": stringFlag("NAME", "Server name to use for server certificate validation"),
  "certificate-authority": stringFlag("FILE", "Path to a cert file for the certificate authority"),
  "insecure-skip-tls-verify": Flags.boolean({ description: "Do not check the server's certificate for validity" }),
  "proxy-url": stringFlag("URL", "Proxy to use for requests to the server"),
  "disable-compression": Flags.boolean({ description: "Opt out of response compression" }),
  token: stringFlag("TOKEN", "Bearer token to authenticate with"),
  username: stringFlag("NAME", "Name for basic authentication"),
  password: stringFlag("PASSWORD", "Password for basic authentication"),
  "client-certificate": stringFlag("FILE", "Certificate to authenticate with"),
  "client-key": stringFlag("FILE", "Key of the client certificate"),
  as: stringFlag("USER", "User to impersonate"),
  "as-group": Flags.string({ ...REPEATED, helpValue: "GROUP", description: "Group to impersonate; may be repeated" }),
  "as-uid": stringFlag("UID", "UID to impersonate"),
  "as-user-extra": Flags.string({
    ...REPEATED,
    helpValue: "KEY=VALUE",
    description: "Extra of the user to impersonate; may be repeated",
  }),
  "request-timeout": valueFlag("DURATION", "Timeout for one API request (default 10s, 0 for none)", REQUEST_TIMEOUT),
  /** The program uses only what the kuberc file says about credential plugins. */
  kuberc: Flags.string({ hidden: true }),
  // The flags below have no effect. They are accepted because kubectl has them.
  "cache-dir": Flags.string({ hidden: true }),
  "log-flush-frequency": Flags.string({ hidden: true }),
  "match-server-version": Flags.boolean({ hidden: true }),
  profile: Flags.string({ hidden: true }),
  "profile-output": Flags.string({ hidden: true }),
  v: Flags.string({ char: "v", hidden: true }),
  vmodule: Flags.string({ hidden: true }),
  "warnings-as-errors": Flags.boolean({ hidden: true }),
};

export const CLUSTER_FLAGS = { ...DEBUG_FLAG, ...KUBELET_FLAGS, ...CONNECTION_FLAGS };

export type ConnectionValues = Partial<Interfaces.InferredFlags<typeof CONNECTION_FLAGS>>;

const REPEATED_IN_COMMANDS = ["kubeconfig", "context", "cluster", "user", "server", "as"] as const;

export function flagsForCommands(flags: ConnectionValues): string[] {
  const shown = { ...flags, ...(flags.server && { server: withoutLogin(flags.server) }) };
  return REPEATED_IN_COMMANDS.flatMap((name) => (shown[name] ? [`--${name}=${shown[name]}`] : []));
}
