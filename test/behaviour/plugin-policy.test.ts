import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowedProgram } from "../../src/cluster/connection/exec-plugin.ts";
import { temporaryFolder, writeDocument } from "../support/kubeconfig.ts";

function home(preference: object | string | null): { folder: string; plugin: string } {
  const folder = temporaryFolder();
  for (const name of [".kube", "bin", "other"]) mkdirSync(join(folder, name));
  const plugin = join(folder, "bin", "login");
  writeFileSync(plugin, "#!/bin/sh\n");
  chmodSync(plugin, 0o755);
  symlinkSync(plugin, join(folder, "other", "login"));
  if (preference !== null) writeFileSync(join(folder, ".kube", "kuberc"), textOf(preference));
  return { folder, plugin };
}

function textOf(preference: object | string): string {
  if (typeof preference === "string") return preference;
  return JSON.stringify({ apiVersion: "kubectl.config.k8s.io/v1beta1", kind: "Preference", ...preference });
}

function verdict(
  preference: object | string | null,
  { command = "login", kuberc = null as string | null, env = {} } = {},
): string {
  const { folder, plugin } = home(preference);
  try {
    const path = join(folder, "bin");
    allowedProgram(command.replace("PLUGIN", plugin), { kuberc, env: { HOME: folder, PATH: path, ...env } });
    return "runs";
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(folder, "HOME") : String(error);
  }
}

const allow = (...names: string[]): object => ({
  credentialPluginPolicy: "Allowlist",
  credentialPluginAllowlist: names.map((command) => ({ command })),
});

describe("the kuberc's policy for credential plugins", () => {
  it.each([
    { preference: null, why: "without a kuberc" },
    { preference: {}, why: "without a policy" },
    { preference: { credentialPluginPolicy: "AllowAll" }, why: "if the policy allows all plugins" },
    { preference: allow("other", "login"), why: "if the policy allows its name" },
    {
      preference: `---\n${textOf({ kind: "Other" })}\n---\n${textOf(allow("login"))}`,
      why: "if the policy in a later YAML document allows it",
    },
  ])("allows a plugin to run $why", ({ preference }) => expect(verdict(preference)).toBe("runs"));

  it("treats a name and its path as the same plugin", () => {
    const stopped = "the kuberc does not allow the credential plugin login (Allowlist)";
    expect(verdict(allow("login"), { command: "PLUGIN" })).toBe("runs");
    expect(verdict(allow("/elsewhere/login"))).toBe(stopped);
  });

  it.each([
    { preference: { credentialPluginPolicy: "DenyAll" }, says: "does not allow the credential plugin login (DenyAll)" },
    { preference: allow("other"), says: "does not allow the credential plugin login (Allowlist)" },
    { preference: { credentialPluginPolicy: "Some" }, says: "unknown credentialPluginPolicy Some" },
    { preference: allow(), says: "credentialPluginAllowlist does not go with its policy Allowlist" },
    { preference: allow("login", ""), says: "credentialPluginAllowlist has an entry without a command" },
    { preference: allow("login", "./other"), says: "has an entry whose path is not normalized: ./other" },
    { preference: allow("login", "/bin/"), says: "has an entry whose path is not normalized: /bin/" },
    {
      preference: { ...allow(), credentialPluginAllowlist: [{ command: "login", name: "other" }] },
      says: "has an entry with two commands",
    },
    { preference: { credentialPluginAllowlist: [{ command: "login" }] }, says: "does not go with its policy AllowAll" },
    { preference: "{", says: "the kuberc HOME/.kube/kuberc cannot be read" },
    { preference: "hello", says: "there is no Preference in HOME/.kube/kuberc" },
  ])("forbids a plugin to run: $says", ({ preference, says }) => expect(verdict(preference)).toContain(says));

  it("comes from --kuberc, else from KUBERC, else from the home folder; KUBERC=off reads none", () => {
    const deny = writeDocument(textOf({ credentialPluginPolicy: "DenyAll" }), "kuberc");
    expect(verdict({}, { kuberc: deny })).toContain("DenyAll");
    expect(verdict({}, { env: { KUBERC: deny } })).toContain("DenyAll");
    expect(verdict({ credentialPluginPolicy: "DenyAll" }, { env: { KUBERC: "off" } })).toBe("runs");
    expect(verdict(null, { env: { KUBERC: "/there/is/none" } })).toContain("the kuberc /there/is/none cannot be read");
  });
});
