import { readFileSync } from "node:fs";
import type { Lab } from "./lab.ts";

export interface Case {
  readonly name: string;
  readonly flags?: readonly string[];
  readonly cluster?: object;
  readonly user?: object;
  readonly kubeconfigs?: readonly (object | string)[];
  readonly env?: Readonly<Record<string, string>>;
  /** Why the program differs from kubectl on purpose. */
  readonly different?: string;
}

/** Blanks separate the flags. By default, the name of the case is the flag. */
const flag = (name: string, flags = name, fields: Partial<Case> = {}): Case => ({
  ...{ name, flags: flags === "" ? [] : flags.split(" ") },
  ...fields,
});

export function kubeconfigOf(
  lab: Lab,
  { cluster = {}, user = { token: "secret" }, namespace = "prod" }: Partial<Case> & { namespace?: string } = {},
): object {
  const own = { server: lab.url, "certificate-authority": lab.ca, ...cluster };
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [
      { name: "here", cluster: own },
      { name: "there", cluster: { server: `${lab.url}/prefix`, "certificate-authority": lab.ca } },
    ],
    users: [
      { name: "me", user },
      { name: "alice", user: { "client-certificate": "alice.crt", "client-key": "alice.key" } },
    ],
    contexts: [
      { name: "test", context: { cluster: "here", user: "me", namespace } },
      { name: "other", context: { cluster: "there", user: "alice" } },
    ],
  };
}

export function flagCases(lab: Lab): Case[] {
  const { file, ca, url } = lab;
  const bob = `--client-certificate ${file("bob.crt")} --client-key ${file("bob.key")}`;
  const base64 = (name: string): string => readFileSync(file(name), "base64");
  const alice = { "client-certificate-data": base64("alice.crt"), "client-key-data": base64("alice.key") };
  const kuberc = lab.write("kuberc", { apiVersion: "kubectl.config.k8s.io/v1beta1", kind: "Preference" });
  const other = lab.write("other-config", kubeconfigOf(lab, { user: { token: "of-other-file" } }));
  const insecure = { cluster: { "certificate-authority": "", "insecure-skip-tls-verify": true } };
  const anothers = { cluster: { "certificate-authority": file("alice.crt") } };
  const exec = { command: "./none", apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never" };
  const joe = { token: "t", as: "joe", "as-groups": ["a"], "as-uid": "7", "as-user-extra": { k: ["v", "w"] } };
  const extras = { token: "t", as: "joe", "as-user-extra": { k: ["v"], l: ["w"] } };
  return [
    flag("no flag", ""),
    flag("--kubeconfig", `--kubeconfig ${other}`),
    flag("--kubeconfig, missing file", `--kubeconfig ${file("none")}`),
    flag("--context", "--context other"),
    flag("--context, unknown", "--context none"),
    flag("--cluster", "--cluster there"),
    flag("--cluster, unknown", "--cluster none"),
    flag("--user", "--user alice"),
    flag("--user, unknown", "--user none"),
    flag("-n", "-n dev"),
    flag("--namespace="),
    flag("-s", `-s ${url}/prefix/`),
    flag("--server, no scheme", `--server ${url.replace("https://", "")}`),
    flag("--server, tls-server-name in kubeconfig", `--server ${url}`, {
      cluster: { "tls-server-name": "other.example" },
    }),
    flag("--server --token, no kubeconfig", `-s ${url} --token t --certificate-authority ${ca}`, { kubeconfigs: [] }),
    flag("--token, plain http", `--token t --as jane -s ${lab.plainUrl}`),
    flag("--token", "--token of-flag"),
    flag("--token, tokenFile in kubeconfig", "--token of-flag", { user: { tokenFile: "token" } }),
    flag("--token, name and password in kubeconfig", "--token x", { user: { username: "me", password: "pw" } }),
    flag("--token, exec in kubeconfig", "--token of-flag", { user: { exec } }),
    flag("--as", "--as jane"),
    flag("--as --as-group, twice", "--as jane --as-group a --as-group b,c"),
    flag("--as-group without --as", "--as-group a"),
    flag("--as --as-uid", "--as jane --as-uid u-1"),
    flag("--as --as-user-extra, twice a key", "", {
      flags: ["--as", "jane", ...["k=1", "k=2", "a b/%=x=y"].flatMap((extra) => ["--as-user-extra", extra])],
    }),
    flag("--as-group, as in kubeconfig", "--as-group b", { user: joe }),
    flag("--as-user-extra, extras in kubeconfig", "--as-user-extra k=new", { user: extras }),
    flag("--certificate-authority", `--certificate-authority ${ca}`, anothers),
    flag("--certificate-authority, another's", `--certificate-authority ${file("alice.crt")}`),
    flag("--certificate-authority, insecure in kubeconfig", `--certificate-authority ${file("alice.crt")}`, insecure),
    flag("--client-certificate --client-key", bob, { user: {} }),
    flag("--client-certificate --client-key, data in kubeconfig", bob, { user: alice }),
    flag("--client-certificate without key", `--client-certificate ${file("bob.crt")}`, { user: {} }),
    flag("--insecure-skip-tls-verify", "--insecure-skip-tls-verify", anothers),
    flag("--insecure-skip-tls-verify=false", "--insecure-skip-tls-verify=false", insecure),
    flag("--tls-server-name", "--tls-server-name localhost"),
    flag("--tls-server-name, not the server's", "--tls-server-name other.example"),
    flag("--tls-server-name, an address", "--tls-server-name 127.0.0.1"),
    flag("--tls-server-name, not the server's address", "--tls-server-name 127.0.0.2"),
    flag("--request-timeout", "--request-timeout 5s"),
    flag("--request-timeout, no unit", "--request-timeout 5"),
    flag("--request-timeout, wrong", "--request-timeout soon"),
    flag("--username --password", "--username me --password pw:x", { user: {} }),
    flag("--username --password, token in kubeconfig", "--username me --password pw"),
    flag("--cache-dir", `--cache-dir ${file("cache")}`),
    flag("-s, compression", `-s ${lab.outsideUrl} --tls-server-name localhost`),
    flag("--disable-compression", `--disable-compression -s ${lab.outsideUrl} --tls-server-name localhost`),
    flag("-v", "-v 6"),
    flag("--v --vmodule --log-flush-frequency", "--v=0 --vmodule a=0 --log-flush-frequency 1s"),
    flag("--match-server-version", "--match-server-version", { different: "there is no version to match" }),
    flag("--kuberc", `--kuberc ${kuberc}`),
    flag("-n, twice", "-n dev -n test"),
    flag("--token, twice", "--token a --token=b"),
    flag("--as, twice", "--as=joe --as jane"),
    flag("-n=", "-n=dev"),
    flag("-n, empty", "-n "),
    flag("--context, empty", "--context "),
    flag("--request-timeout, empty", "--request-timeout="),
    flag("--warnings-as-errors"),
    flag("--profile --profile-output", `--profile none --profile-output ${file("profile")}`),
    flag("--proxy-url", `--proxy-url ${lab.proxy}`),
    flag("--proxy-url, unknown scheme", "--proxy-url ftp://127.0.0.1:1"),
  ];
}
