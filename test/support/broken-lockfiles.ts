import type { Lockfile, Manifest } from "../../scripts/audit/lockfile.ts";

/** What `npm install` could make of them: a lock and a package.json that break one rule. */
export interface BrokenLockfile {
  readonly rule: string;
  readonly what: string;
  readonly lock: Lockfile;
  readonly manifest: Manifest;
}

/** Folders, and what is different about them; null takes one away. */
type Changes = Readonly<Record<string, object | null>>;

/** Every rule of `npm run audit` broken, one at a time, starting from a lock that breaks none. */
export function brokenLockfiles(lock: Lockfile, manifest: Manifest): BrokenLockfile[] {
  const inLock = (rule: string, what: string, changes: Changes): BrokenLockfile => ({
    ...{ rule, what, manifest },
    lock: { ...lock, packages: changed(lock.packages, changes) },
  });
  const ajv = "node_modules/ajv";
  const asked = (range: string): Changes => ({ [ajv]: { dependencies: { "fast-deep-equal": range } } });
  const withTool = (range: string): Manifest => ({
    ...manifest,
    devDependencies: { ...manifest.devDependencies, ajv: range },
  });
  return [
    { rule: "format", what: "an older format", lock: { ...lock, lockfileVersion: 2 }, manifest },
    inLock("integrity", "no sum", { [ajv]: { integrity: undefined } }),
    inLock("integrity", "a weak sum", { [ajv]: { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" } }),
    inLock("integrity", "a weak sum besides", {
      [ajv]: { integrity: `${lock.packages[ajv]?.integrity} sha1-2jmj7l5rSw0=` },
    }),
    inLock("address", "an address", { [ajv]: { resolved: "https://packages.example/ajv.tgz" } }),
    inLock("source", "a link", { [ajv]: { link: true } }),
    inLock("source", "a package inside another", { [ajv]: { inBundle: true } }),
    ...[
      "git+ssh://git@a.example/b.git",
      "user/repository",
      "file:../b",
      "https://a.example/b.tgz",
      "latest",
      "npm:other@1.0.0",
    ].map((range) => inLock("range", `asked for as ${range}`, asked(range))),
    ...["*", "8.20.0", ">=8", "next"].map((range) => ({
      rule: "own-range",
      what: range,
      lock,
      manifest: withTool(range),
    })),
    inLock("version", "a range for a version", { [ajv]: { version: "^8.20.0" } }),
    inLock("script", "a script at installation", { [ajv]: { hasInstallScript: true } }),
    { rule: "run-time", what: "a dependency", lock, manifest: { ...manifest, dependencies: { ajv: "^8.20.0" } } },
    { rule: "in-step", what: "another range", lock, manifest: withTool("^8.19.0") },
    { rule: "in-step", what: "another name", lock, manifest: { ...manifest, name: "other" } },
    inLock("complete", "a package that is not there", { "node_modules/fast-deep-equal": null }),
    inLock("complete", "a package that is too old", { "node_modules/fast-deep-equal": { version: "2.0.1" } }),
    inLock("complete", "a platform without its binary", { "node_modules/@biomejs/cli-darwin-arm64": null }),
    inLock("needed", "a package that nothing asks for", { "node_modules/stray": lock.packages[ajv] ?? {} }),
    inLock("engine", "a newer Node", { [ajv]: { engines: { node: ">=24" } } }),
    inLock("licence", "another licence", { [ajv]: { license: "AGPL-3.0" } }),
    inLock("licence", "no licence", { [ajv]: { license: undefined } }),
  ];
}

function changed(packages: Lockfile["packages"], changes: Changes): Lockfile["packages"] {
  const kept = Object.entries(packages).filter(([folder]) => changes[folder] !== null);
  const others = Object.entries(changes).map(
    ([folder, change]) => [folder, { ...packages[folder], ...change }] as const,
  );
  return Object.fromEntries([...kept, ...others.filter(([folder]) => changes[folder] !== null)]);
}
