import { type Case, kubeconfigOf } from "./cases.ts";
import type { Lab } from "./lab.ts";

const V1 = "client.authentication.k8s.io/v1";

export function kubeconfigCases(lab: Lab): Case[] {
  const { file } = lab;
  const exec = { apiVersion: V1, command: "./plugin", args: ["arg"], interactiveMode: "IfAvailable" };
  const withEnv = { ...exec, env: [{ name: "WORD", value: "word" }] };
  const plain = (name: string, fields: Partial<Case>): Case => ({ name, ...fields });
  return [
    plain("token", { user: { token: "secret" } }),
    plain("tokenFile, relative", { user: { tokenFile: "token" } }),
    plain("tokenFile and token", { user: { tokenFile: "token", token: "inline" } }),
    plain("username, password", { user: { username: "me", password: "pw" } }),
    plain("token and username", { user: { token: "t", username: "me", password: "pw" } }),
    plain("client-certificate, relative", { user: { "client-certificate": "bob.crt", "client-key": "bob.key" } }),
    plain("as, as-uid, as-groups, as-user-extra", {
      user: { token: "t", as: "joe", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": { k: ["v", "w"] } },
    }),
    plain("insecure-skip-tls-verify", { cluster: { "certificate-authority": "", "insecure-skip-tls-verify": true } }),
    plain("insecure-skip-tls-verify and certificate-authority", { cluster: { "insecure-skip-tls-verify": true } }),
    plain("tls-server-name", { cluster: { "tls-server-name": "localhost" } }),
    plain("server with path", { cluster: { server: `${lab.url}/prefix` } }),
    plain("server, plain http", { cluster: { server: lab.plainUrl } }),
    plain("exec: command relative, args, env, KUBERNETES_EXEC_INFO", { user: { exec: withEnv } }),
    plain("exec: interactiveMode Never", { user: { exec: { ...exec, interactiveMode: "Never" } } }),
    plain("exec: interactiveMode Always, no terminal", { user: { exec: { ...exec, interactiveMode: "Always" } } }),
    plain("exec: provideClusterInfo", {
      user: { exec: { ...exec, provideClusterInfo: true } },
      cluster: {
        "tls-server-name": "localhost",
        extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }],
      },
    }),
    plain("exec: another version answered", {
      user: { exec: { ...exec, apiVersion: "client.authentication.k8s.io/v1beta1" } },
    }),
    plain("exec: apiVersion v1alpha1", {
      user: { exec: { ...exec, apiVersion: "client.authentication.k8s.io/v1alpha1" } },
    }),
    plain("exec: a certificate", { user: { exec: { ...exec, command: "./certificate-plugin" } } }),
    plain("exec: prints no JSON", { user: { exec: { ...exec, command: "echo" } } }),
    plain("exec: fails", { user: { exec: { ...exec, command: "false" } } }),
    plain("exec: no command", { user: { exec: { ...exec, command: "" } } }),
    ...pluginPolicyCases(lab, exec),
    plain("exec: not installed", { user: { exec: { ...exec, command: "./none", installHint: "Get it." } } }),
    plain("exec and client-certificate", {
      user: { exec, "client-certificate": "bob.crt", "client-key": "bob.key" },
    }),
    plain("proxy-url", { cluster: { "proxy-url": lab.proxy } }),
    plain("proxy-url with name and password", {
      cluster: { "proxy-url": lab.proxy.replace("//", "//me:p%40w@") },
    }),
    plain("KUBECONFIG: first wins, missing and empty ignored", {
      kubeconfigs: [file("none"), "", { "current-context": "test" }, kubeconfigOf(lab), { "current-context": "other" }],
    }),
    plain("tokenFile, missing", { user: { tokenFile: "no-token" } }),
    plain("tokenFile, empty, and token", { user: { tokenFile: "nothing", token: "t" } }),
    plain("tokenFile, missing, and token", { user: { tokenFile: "no-token", token: "t" } }),
    plain("tokenFile, empty", { user: { tokenFile: "nothing" } }),
    {
      ...plain("token with blanks around it", { user: { token: " t " } }),
      different: "kubectl sends the blank at the end, which HTTP/2 forbids, and the server drops the header",
    },
    plain("proxy-url, NO_PROXY=*", { cluster: { "proxy-url": lab.proxy }, env: { NO_PROXY: "*" } }),
    plain("KUBECONFIG: relative file", { kubeconfigs: ["relative-config"] }),
    plain("KUBECONFIG: the same file twice", { kubeconfigs: ["relative-config", "relative-config"] }),
    plain("KUBECONFIG: all files missing", { kubeconfigs: [file("none"), "none"] }),
    plain("KUBECONFIG: a folder", { kubeconfigs: [lab.folder, kubeconfigOf(lab)] }),
    plain("KUBECONFIG: no YAML", { kubeconfigs: [file("no-yaml"), kubeconfigOf(lab)] }),
    plain("KUBECONFIG: context in one file, cluster and user in another", {
      kubeconfigs: [{ ...kubeconfigOf(lab), clusters: [], users: [] }, kubeconfigOf(lab, { user: { token: "later" } })],
    }),
    plain("KUBECONFIG: a later file has the same user", {
      kubeconfigs: [kubeconfigOf(lab), kubeconfigOf(lab, { user: { token: "later" } })],
    }),
  ];
}

function pluginPolicyCases(lab: Lab, exec: object): Case[] {
  const type = { apiVersion: "kubectl.config.k8s.io/v1beta1", kind: "Preference" };
  const allow = (...commands: string[]): object => ({
    credentialPluginPolicy: "Allowlist",
    credentialPluginAllowlist: commands.map((command) => ({ command })),
  });
  const kuberc = (why: string, preference: object): Case => ({
    name: `exec: kuberc ${why}`,
    flags: ["--kuberc", lab.write(`kuberc-${why}`, { ...type, ...preference })],
    user: { exec },
  });
  const deny = { credentialPluginPolicy: "DenyAll" };
  return [
    kuberc("AllowAll", { credentialPluginPolicy: "AllowAll" }),
    kuberc("DenyAll", deny),
    kuberc("Allowlist, its path", allow(lab.file("plugin"))),
    kuberc("Allowlist, another", allow("another", "/other/plugin")),
    kuberc("Allowlist, empty", allow()),
    kuberc("Some", { credentialPluginPolicy: "Some" }),
    {
      name: "exec: KUBERC with DenyAll",
      user: { exec },
      env: { KUBERC: lab.write("kuberc-of-environment", { ...type, ...deny }) },
    },
    { name: "exec: KUBERC=off", user: { exec }, env: { KUBERC: "off" } },
  ];
}

export function proxyCases(lab: Lab): Case[] {
  const through = (name: string, server: string, env: Record<string, string>): Case => ({
    name,
    flags: ["--request-timeout", "1s", "--tls-server-name", "localhost", "-s", server],
    env,
  });
  const NAME = "https://api.cluster.example:6443";
  const ADDRESS = "https://192.0.2.10:6443";
  const noProxy = (server: string, value: string, why = ""): Case =>
    through(`NO_PROXY=${value}${why}, ${server}`, server, { HTTPS_PROXY: lab.proxy, NO_PROXY: value });
  return [
    through("HTTPS_PROXY", NAME, { HTTPS_PROXY: lab.proxy }),
    through("https_proxy, no scheme", NAME, { https_proxy: lab.proxy.replace("http://", "") }),
    through("HTTPS_PROXY before https_proxy", NAME, { HTTPS_PROXY: lab.proxy, https_proxy: "http://127.0.0.1:1" }),
    through("HTTP_PROXY, https server", NAME, { HTTP_PROXY: lab.proxy }),
    {
      ...through("HTTP_PROXY, http server", "http://api.cluster.example", { HTTP_PROXY: lab.proxy }),
      different: "this program asks for a tunnel (CONNECT), kubectl sends the whole address",
    },
    through("HTTPS_PROXY, 127.0.0.1", lab.url, { HTTPS_PROXY: lab.proxy }),
    through("HTTPS_PROXY, localhost", lab.url.replace("127.0.0.1", "localhost"), { HTTPS_PROXY: lab.proxy }),
    through("no_proxy", NAME, { HTTPS_PROXY: lab.proxy, no_proxy: "example" }),
    noProxy(NAME, "cluster.example"),
    noProxy(NAME, ".cluster.example"),
    noProxy(NAME, "*.Example"),
    noProxy(NAME, ".api.cluster.example"),
    noProxy(NAME, "luster.example"),
    noProxy(NAME, "example:6443"),
    noProxy(NAME, "example:443"),
    noProxy(NAME, "x, *"),
    noProxy(NAME, ".example:6443"),
    noProxy(NAME, "api.cluster.example:6443,"),
    noProxy(NAME, "https://api.cluster.example"),
    noProxy(NAME, "api.cluster.example."),
    noProxy(ADDRESS, "192.0.2"),
    noProxy("https://[2001:db8::1]:6443", "[2001:db8::1]:6443"),
    noProxy("https://[2001:db8::1]:6443", "2001:db8::1"),
    through("HTTPS_PROXY with name and password", NAME, { HTTPS_PROXY: lab.proxy.replace("//", "//me:p%40w@") }),
    through("ALL_PROXY", NAME, { ALL_PROXY: lab.proxy }),
    through("HTTPS_PROXY, unknown scheme", NAME, { HTTPS_PROXY: "ftp://127.0.0.1:1" }),
    noProxy(ADDRESS, "192.0.2.0/24"),
    noProxy(ADDRESS, "192.0.3.0/24"),
    noProxy(ADDRESS, "192.0.2.10:443"),
    noProxy(ADDRESS, "192.0.2.10:6443"),
    noProxy("https://[2001:db8::1]:6443", "2001:db8::/32"),
  ];
}
