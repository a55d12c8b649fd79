import path from "node:path";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { chooseContext } from "../../src/cluster/connection/kubeconfig.ts";
import { kubeconfigPlaces } from "../../src/cluster/connection/kubeconfig-files.ts";
import { run } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";
import { kubeconfigFor } from "../support/kubeconfig-document.ts";
import { aRawPod } from "../support/raw-objects.ts";

const windows = (...files: string[]) => ({ path: path.win32, exists: (file: string) => files.includes(file) });
const linux = { path: path.posix, exists: () => false };

describe("kubeconfigPlaces()", () => {
  const homes = { HOME: "C:\\home", HOMEDRIVE: "H:", HOMEPATH: "\\me", USERPROFILE: "C:\\Users\\me" };

  it.each([
    {
      env: { KUBECONFIG: "C:\\a b\\config;D:config;;\\\\server\\share\\config" },
      places: ["C:\\a b\\config", "D:config", "\\\\server\\share\\config"],
    },
    { env: { USERPROFILE: "C:\\Users\\me" }, places: ["C:\\Users\\me\\.kube\\config"] },
    { env: homes, places: ["C:\\home\\.kube\\config"] },
    { env: {}, places: [] },
  ])("returns $places on Windows with $env", ({ env, places }) => {
    expect(kubeconfigPlaces(undefined, env, windows())).toEqual(places);
  });

  it.each(["C:\\home\\.kube\\config", "H:\\me\\.kube\\config", "C:\\Users\\me\\.kube\\config"])(
    "returns the only kubeconfig in a home folder of Windows: %s",
    (file) => expect(kubeconfigPlaces(undefined, homes, windows(file))).toEqual([file]),
  );

  it.each([
    { env: { KUBECONFIG: "/a:b:" }, places: ["/a", "b"] },
    { env: { KUBECONFIG: ":", HOME: "/me" }, places: [] },
    { env: { KUBECONFIG: "", HOME: "/me" }, places: ["/me/.kube/config"] },
    { env: { USERPROFILE: "/me" }, places: [] },
  ])("returns $places elsewhere with $env", ({ env, places }) => {
    expect(kubeconfigPlaces(undefined, env, linux)).toEqual(places);
  });

  it("returns only the file of --kubeconfig, even if KUBECONFIG is set", () => {
    expect(kubeconfigPlaces("C:\\x", { KUBECONFIG: "C:\\y" }, windows())).toEqual(["C:\\x"]);
  });
});

const WRITTEN: readonly { as: string; write: (text: string) => string }[] = [
  { as: "with CRLF", write: (text) => text.replaceAll("\n", "\r\n") },
  { as: "with a BOM", write: (text) => `\ufeff${text}` },
  { as: "with both", write: (text) => `\ufeff${text.replaceAll("\n", "\r\n")}` },
];

describe.each(WRITTEN)("a file $as", ({ write }) => {
  it("is read as a kubeconfig", () => {
    const kubeconfig = writeDocument(write(dump(kubeconfigFor({ server: "https://a.example" }))));
    const chosen = chooseContext({ kubeconfig, env: {} });
    expect(chosen).toMatchObject({ server: "https://a.example", namespace: "prod", user: { token: "secret" } });
  });

  it("is read as input, as YAML and as JSON", async () => {
    for (const text of [dump(aRawPod()), JSON.stringify(aRawPod(), null, 1)]) {
      const { stdout } = await run("explain", "-f", writeDocument(write(text), "pod"), "-o", "name");
      expect(stdout).toBe("pod/web-0\n");
    }
  });
});
