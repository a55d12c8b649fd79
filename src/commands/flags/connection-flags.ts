import * as Flags from "@oclif/core/flags";
import type { ConnectionValues } from "./connection-options.ts";
import { parseRequestTimeout } from "./flag-values.ts";

/** Logging, profiling and caches of kubectl, which have nothing to act upon here: taken, so that command lines can be shared. */
const FLAGS_WITHOUT_EFFECT = {
  "cache-dir": Flags.string({ hidden: true }),
  "log-flush-frequency": Flags.string({ hidden: true }),
  "match-server-version": Flags.boolean({ hidden: true }),
  profile: Flags.string({ hidden: true }),
  "profile-output": Flags.string({ hidden: true }),
  v: Flags.string({ char: "v", hidden: true }),
  vmodule: Flags.string({ hidden: true }),
  "warnings-as-errors": Flags.boolean({ hidden: true }),
};

/** A flag that may be given again, each time with one value. */
const REPEATED = { multiple: true, multipleNonGreedy: true } as const;

/** Which cluster to ask, as whom, and how: all that `kubectl options` lists (v1.37.1), with kubectl's meaning. */
export const CONNECTION_FLAGS = {
  namespace: Flags.string({ char: "n", helpValue: "NAME", description: "Namespace to use instead of the context's" }),
  kubeconfig: Flags.string({
    helpValue: "FILE",
    description: "Kubeconfig to use instead of KUBECONFIG and ~/.kube/config",
  }),
  context: Flags.string({ helpValue: "NAME", description: "Context of the kubeconfig to use" }),
  cluster: Flags.string({ helpValue: "NAME", description: "Cluster of the kubeconfig to use" }),
  user: Flags.string({ helpValue: "NAME", description: "User of the kubeconfig to use" }),
  server: Flags.string({ char: "s", helpValue: "URL", description: "Address of the API server" }),
  "tls-server-name": Flags.string({
    helpValue: "NAME",
    description: "Server name to use for server certificate validation",
  }),
  "certificate-authority": Flags.string({
    helpValue: "FILE",
    description: "Path to a cert file for the certificate authority",
  }),
  "insecure-skip-tls-verify": Flags.boolean({ description: "Do not check the server's certificate for validity" }),
  "proxy-url": Flags.string({ helpValue: "URL", description: "Proxy to use for requests to the server" }),
  "disable-compression": Flags.boolean({ description: "Opt out of response compression" }),
  token: Flags.string({ helpValue: "TOKEN", description: "Bearer token to authenticate with" }),
  username: Flags.string({ helpValue: "NAME", description: "Name for basic authentication" }),
  password: Flags.string({ helpValue: "PASSWORD", description: "Password for basic authentication" }),
  "client-certificate": Flags.string({ helpValue: "FILE", description: "Certificate to authenticate with" }),
  "client-key": Flags.string({ helpValue: "FILE", description: "Key of the client certificate" }),
  as: Flags.string({ helpValue: "USER", description: "User to impersonate" }),
  "as-group": Flags.string({ ...REPEATED, helpValue: "GROUP", description: "Group to impersonate; may be repeated" }),
  "as-uid": Flags.string({ helpValue: "UID", description: "UID to impersonate" }),
  "as-user-extra": Flags.string({
    ...REPEATED,
    helpValue: "KEY=VALUE",
    description: "Extra of the user to impersonate; may be repeated",
  }),
  "request-timeout": Flags.custom<number>({
    helpValue: "DURATION",
    description: "Timeout for one API request (default 10s, 0 for none)",
    parse: async (text) => parseRequestTimeout(text),
  })(),
  /** Of kubectl's preferences only what credential plugins are allowed to run counts here. */
  kuberc: Flags.string({ hidden: true }),
  ...FLAGS_WITHOUT_EFFECT,
};

/** The flags that name a cluster and a user; those that hold credentials belong in no text that is pasted elsewhere. */
const NAMING = ["kubeconfig", "context", "cluster", "user", "server", "as"] as const;

/** The flags by which the user has chosen the cluster, to be repeated in commands. */
export function namingFlags(flags: ConnectionValues): string[] {
  return NAMING.flatMap((name) => (flags[name] ? [`--${name}=${flags[name]}`] : []));
}
