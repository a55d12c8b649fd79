import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseContext } from "../../src/cluster/connection/kubeconfig.ts";
import { inClusterKubeconfig, readKubeconfig } from "../../src/cluster/connection/kubeconfig-files.ts";
import { temporaryFolder, writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";

const cluster = (name: string, server: string): object => ({ name, cluster: { server } });
const context = (name: string, of: string): object => ({ name, context: { cluster: of } });

describe("readKubeconfig()", () => {
  it("merges the files of KUBECONFIG: the first file with a name, or with a current context, wins", () => {
    const clusters = [cluster("a", "https://second"), cluster("b", "https://b")];
    const files = [
      { clusters: [cluster("a", "https://first")], contexts: [context("one", "a")], "current-context": "one" },
      { clusters, contexts: [context("two", "b")], "current-context": "two" },
    ].map((document) => writeDocument(document));
    const config = readKubeconfig(undefined, { KUBECONFIG: files.join(delimiter) });
    expect(config.currentContext).toBe("one");
    expect(config.clusters.get("a")).toEqual({ server: "https://first" });
    expect(config.clusters.get("b")).toEqual({ server: "https://b" });
    expect([...config.contexts.keys()].sort()).toEqual(["one", "two"]);
  });

  it("passes over files that do not exist or are empty, and takes the current context from a later file", () => {
    const config = writeKubeconfig();
    const files = [join(dirname(config), "none"), writeDocument(""), config];
    expect(readKubeconfig(undefined, { KUBECONFIG: files.join(delimiter) }).currentContext).toBe("test");
  });

  it("reads ~/.kube/config, also in YAML, if KUBECONFIG is not set", () => {
    const home = temporaryFolder();
    mkdirSync(join(home, ".kube"));
    writeFileSync(join(home, ".kube", "config"), "current-context: mine\ncontexts: []\n");
    expect(readKubeconfig(undefined, { HOME: home }).currentContext).toBe("mine");
    expect(readKubeconfig(undefined, { HOME: home, KUBECONFIG: writeKubeconfig() }).currentContext).toBe("test");
  });

  it("prefers --kubeconfig to KUBECONFIG, and throws if that file does not exist", () => {
    const env = { KUBECONFIG: writeDocument({ "current-context": "other" }) };
    expect(readKubeconfig(writeKubeconfig(), env).currentContext).toBe("test");
    expect(() => readKubeconfig("/none/a", env)).toThrow(/^Can't read the kubeconfig \/none\/a: .*no such file/);
  });

  it.each([
    { text: "{ not: [valid", why: "its text is not YAML" },
    { text: "just text", why: "its YAML is not a mapping" },
  ])("says which file is unreadable: $why", ({ text }) => {
    const file = writeDocument(text);
    expect(() => readKubeconfig(file, {})).toThrow(`Can't read the kubeconfig ${file}: `);
  });

  it("says which entry stands twice in a file", () => {
    const file = writeDocument({ clusters: [cluster("a", "https://one"), cluster("a", "https://two")] });
    expect(() => readKubeconfig(file, {})).toThrow(
      `Can't read the kubeconfig ${file}: it has two clusters called "a".`,
    );
  });

  it("takes paths as relative to the kubeconfig in which they stand", () => {
    const own = { "client-key": "/abs/me.key" };
    const user = { ...own, "client-certificate": "pki/me.crt", tokenFile: "token", exec: { command: "./get-token" } };
    const file = writeKubeconfig({ server: "https://a", "certificate-authority": "ca.crt" }, user);
    const beside = (path: string): string => join(dirname(file), path);
    const { clusters, users } = readKubeconfig(file, {});
    expect(clusters.get("here")).toEqual({ server: "https://a", "certificate-authority": beside("ca.crt") });
    expect(users.get("me")).toEqual({
      ...own,
      "client-certificate": beside("pki/me.crt"),
      tokenFile: beside("token"),
      exec: { command: beside("get-token") },
    });
  });

  it("keeps a command without a slash, which PATH finds", () => {
    const file = writeKubeconfig({ server: "https://a" }, { exec: { command: "aws" } });
    expect(readKubeconfig(file, {}).users.get("me")).toEqual({ exec: { command: "aws" } });
  });
});

describe("chooseContext()", () => {
  const TWO = {
    clusters: [cluster("a", "https://a/"), cluster("b", "https://b/k8s/clusters/c1/")],
    contexts: [context("one", "a"), context("two", "b"), context("broken", "gone")],
    "current-context": "one",
  };

  it.each([
    { flag: undefined, server: "https://a", why: "the current context is used" },
    { flag: "", server: "https://a", why: "an empty flag is ignored" },
    {
      flag: "two",
      server: "https://b/k8s/clusters/c1",
      why: "the path of the address is kept, without its last slash",
    },
  ])("takes $server for --context $flag: $why", ({ flag, server }) => {
    expect(chooseContext({ kubeconfig: writeDocument(TWO), context: flag, env: {} }).server).toBe(server);
  });

  it.each([
    { fields: { server: "host:6443", "certificate-authority-data": "AA==" }, server: "http://host:6443" },
    { fields: { server: "HTTPS://host:6443" }, server: "https://host:6443" },
    { fields: { server: "Http://host:6443" }, server: "http://host:6443" },
  ])(
    "adds http:// to an address without a scheme, and writes a scheme in lower case: $server",
    ({ fields, server }) => {
      expect(chooseContext({ kubeconfig: writeKubeconfig(fields), env: {} }).server).toBe(server);
    },
  );

  it.each([
    [TWO, "three", 'no context "three".\nAvailable: broken, one or two. Pass one with --context.'],
    [TWO, "broken", 'names the cluster "gone", which the kubeconfig does not have'],
    [{ ...TWO, "current-context": "" }, "", "no current context.\nPass --context with broken, one or two"],
    [{}, "", "No cluster configured"],
    [{ ...TWO, clusters: [cluster("a", "ftp://a")] }, "one", "not an http(s) URL"],
    [{ ...TWO, clusters: [{ name: "a", cluster: {} }] }, "one", "not an http(s) URL"],
  ])("refuses %j with --context '%s': %s", (document, context, says) => {
    expect(() => chooseContext({ kubeconfig: writeDocument(document), context, env: {} })).toThrow(says);
  });

  it("throws if there is no kubeconfig", () => {
    expect(() => chooseContext({ env: { HOME: temporaryFolder() } })).toThrow("No cluster configured");
  });
});

describe("inClusterKubeconfig()", () => {
  const ENV = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };

  it("connects as the pod's service account, in its namespace", () => {
    const folder = temporaryFolder();
    const [token, ca] = [join(folder, "token"), join(folder, "ca.crt")];
    writeFileSync(token, "abc\n");
    writeFileSync(ca, "");
    writeFileSync(join(folder, "namespace"), "tools\n");
    const config = inClusterKubeconfig(ENV, folder);
    const cluster = { server: "https://[fd00::1]:443", "certificate-authority": ca };
    expect(config?.clusters.get("in-cluster")).toEqual(cluster);
    expect(config?.users.get("service-account")).toEqual({ tokenFile: token });
    expect(config?.contexts.get("in-cluster")).toMatchObject({ namespace: "tools" });
    const named = inClusterKubeconfig({ ...ENV, POD_NAMESPACE: "own" }, folder);
    expect(named?.contexts.get("in-cluster")).toMatchObject({ namespace: "own" });
  });

  it("returns null outside of a cluster", () => {
    expect(inClusterKubeconfig(ENV, temporaryFolder())).toBeNull();
    const folder = temporaryFolder();
    writeFileSync(join(folder, "token"), "abc");
    expect(inClusterKubeconfig({}, folder)).toBeNull();
  });
});
