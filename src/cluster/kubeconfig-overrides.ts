import { type Fields, fieldsOf } from "./kubeconfig-files.ts";

/** What flags put in the place of what a kubeconfig says: the same fields, spelled as it does. Empty is not given. */
export interface Overrides {
  readonly cluster: Fields;
  readonly user: Fields;
}

/**
 * A cluster with what flags say of it. Mirrors `getCluster` (client-go v0.37.1, tools/clientcmd/client_config.go): whoever
 * says how the server is to be verified says all of it, and another server has another name.
 */
export function overriddenCluster(cluster: Fields, flags: Fields): Fields {
  const given = givenOf(flags);
  const isVerified = "certificate-authority" in given || "insecure-skip-tls-verify" in given;
  const isNamed = "server" in given || "tls-server-name" in given;
  const replaced = [
    ...(isVerified ? ["certificate-authority", "certificate-authority-data", "insecure-skip-tls-verify"] : []),
    ...(isNamed ? ["tls-server-name"] : []),
  ];
  return { ...without(cluster, replaced), ...given };
}

/** A user with what flags say of it. Mirrors `getAuthInfo` of the same file: a file replaces data, extras are merged by key. */
export function overriddenUser(user: Fields, flags: Fields): Fields {
  const given = givenOf(flags);
  const replaced = ["client-certificate", "client-key"]
    .filter((field) => field in given)
    .map((field) => `${field}-data`);
  const extras = { ...fieldsOf(user["as-user-extra"]), ...fieldsOf(given["as-user-extra"]) };
  return {
    ...without(user, replaced),
    ...given,
    ...(Object.keys(extras).length > 0 && { "as-user-extra": extras }),
  };
}

function givenOf(flags: Fields): Fields {
  const isGiven = (value: unknown): boolean =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== "" && value !== false;
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => isGiven(value)));
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
