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
  namespace: Flags.string({ char: "n", helpValue: "NAME", description: "Namespace of the pod" }),
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
    description: "Name that the server's certificate has to have instead of the address's",
  }),
  "certificate-authority": Flags.string({
    helpValue: "FILE",
    description: "Certificate that the server is verified by",
  }),
  "insecure-skip-tls-verify": Flags.boolean({ description: "Do not verify the server, whoever it is" }),
  "proxy-url": Flags.string({ helpValue: "URL", description: "Proxy on the way to the server" }),
  "disable-compression": Flags.boolean({ description: "Ask for answers that are not compressed" }),
  token: Flags.string({ helpValue: "TOKEN", description: "Bearer token to authenticate with" }),
  username: Flags.string({ helpValue: "NAME", description: "Name for basic authentication" }),
  password: Flags.string({ helpValue: "PASSWORD", description: "Password for basic authentication" }),
  "client-certificate": Flags.string({ helpValue: "FILE", description: "Certificate to authenticate with" }),
  "client-key": Flags.string({ helpValue: "FILE", description: "Key of that certificate" }),
  as: Flags.string({ helpValue: "USER", description: "User to impersonate" }),
  "as-group": Flags.string({ ...REPEATED, helpValue: "GROUP", description: "Group to impersonate; may be repeated" }),
  "as-uid": Flags.string({ helpValue: "UID", description: "UID to impersonate" }),
  "as-user-extra": Flags.string({
    ...REPEATED,
    helpValue: "KEY=VALUE",
    description: "Extra of the user to impersonate; may be repeated, also for one key",
  }),
  "request-timeout": Flags.custom<number>({
    helpValue: "DURATION",
    description: "How long to wait for an answer of the server: 10s unless given; 0 is no limit",
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
