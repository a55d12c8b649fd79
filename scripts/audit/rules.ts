import { satisfies, valid, validRange } from "semver";
import { isAllowed, TOOL_LICENCES } from "./licences.ts";
import { foundFrom, type Locked, type Lockfile, lockedPackages, type Manifest, neededBy } from "./lockfile.ts";

/** Something that has to hold of the lock and of package.json. */
export interface Rule {
  readonly name: string;
  /** In words: what has to hold. */
  readonly says: string;
  /** What breaks it. */
  readonly violations: (lock: Lockfile, manifest: Manifest) => readonly string[];
}

/** The oldest Node that the program runs on. */
export const OLDEST_NODE = "22.20.0";

/** Packages that may run something when they are installed, and why they have to. */
export const MAY_RUN_SCRIPTS: Readonly<Record<string, string>> = {
  esbuild: "checks its binary for this platform, which comes as a package of its own",
  node: "puts the binary for this platform in its place, which comes as a package of its own",
};

const SHA512 = /^sha512-[A-Za-z\d+/]{86}==$/;
const OWN_RANGE = /^\^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** What every package of the lock has to be. */
function ofEach(name: string, says: string, breaks: (locked: Locked, lock: Lockfile) => readonly string[]): Rule {
  const told = (locked: Locked, lock: Lockfile): string[] =>
    breaks(locked, lock).map((what) => `${locked.folder}: ${what}`);
  return { name, says, violations: (lock) => lockedPackages(lock).flatMap((locked) => told(locked, lock)) };
}

function unless(holds: boolean, otherwise: string): string[] {
  return holds ? [] : [otherwise];
}

/** All of them. */
export const RULES: readonly Rule[] = [
  {
    name: "format",
    says: "lockfileVersion is 3",
    violations: ({ lockfileVersion }) => unless(lockfileVersion === 3, `lockfileVersion is ${lockfileVersion}`),
  },
  ofEach("integrity", "every package has a SHA-512 sum", ({ integrity = "none" }) =>
    unless(SHA512.test(integrity), `integrity is ${integrity}`),
  ),
  ofEach("address", "no package has an address to be got from", ({ resolved }) =>
    unless(resolved === undefined, `resolved is ${resolved}`),
  ),
  ofEach("source", "no package is a link or part of another one", ({ link, inBundle }) =>
    unless(link !== true && inBundle !== true, "it is a link or bundled"),
  ),
  ofEach("range", "no dependency is from git, a file, an address, a tag or under another name", (locked) =>
    neededBy(locked).flatMap(([name, range]) => unless(validRange(range) !== null, `${name} is asked for as ${range}`)),
  ),
  {
    name: "own-range",
    says: "package.json asks for ^x.y.z",
    violations: (_, { devDependencies = {} }) =>
      Object.entries(devDependencies).flatMap(([name, range]) => unless(OWN_RANGE.test(range), `${name}: ${range}`)),
  },
  ofEach("version", "every version is exact", ({ version = "" }) =>
    unless(valid(version) === version, version || "none"),
  ),
  ofEach("script", "nothing runs at installation but what is named", ({ name, hasInstallScript }) =>
    unless(hasInstallScript !== true || Object.hasOwn(MAY_RUN_SCRIPTS, name), "it has an install script"),
  ),
  {
    name: "run-time",
    says: "whoever installs the program installs no other package",
    violations: (_, { dependencies, optionalDependencies, peerDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
  },
  {
    name: "in-step",
    says: "package.json and the lock say the same of the project",
    violations: (lock, manifest) => [...differences({ ...lock.packages[""], ...lock }, manifest)],
  },
  {
    name: "complete",
    says: "whatever is asked for is there, in a version that will do",
    violations: (lock) =>
      Object.entries(lock.packages).flatMap(([folder, locked]) => lacks(lock, folder, neededBy(locked))),
  },
  { name: "needed", says: "whatever is there is asked for", violations: unneeded },
  ofEach("engine", `every package runs on Node ${OLDEST_NODE}`, ({ engines }) =>
    unless(satisfies(OLDEST_NODE, engines?.["node"] ?? "*"), `it asks for Node ${engines?.["node"]}`),
  ),
  ofEach("licence", `every licence is one of ${TOOL_LICENCES.join(", ")}`, ({ license = "none" }) =>
    unless(isAllowed(license, TOOL_LICENCES), license),
  ),
];

const COMPARED = ["name", "version", "license", "bin", "engines", "dependencies", "devDependencies"] as const;

function differences(locked: Partial<Manifest>, manifest: Manifest): readonly string[] {
  return COMPARED.filter((field) => sorted(locked[field]) !== sorted(manifest[field]));
}

function sorted(value: unknown): string {
  return JSON.stringify(typeof value === "object" && value !== null ? Object.entries(value).sort() : value) ?? "";
}

function lacks(lock: Lockfile, folder: string, needed: readonly (readonly [string, string])[]): string[] {
  return needed.flatMap(([name, range]) => {
    const found = foundFrom(lock, folder, name);
    const holds = found !== null && satisfies(found.version ?? "", range, { includePrerelease: true });
    return unless(holds, `${folder || "package.json"}: ${name} ${range}, and there is ${found?.version ?? "none"}`);
  });
}

function unneeded(lock: Lockfile): string[] {
  const seen = new Set<string>();
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const locked = lock.packages[folder] ?? {};
    const names = [...neededBy(locked).map(([name]) => name), ...Object.keys(locked.peerDependencies ?? {})];
    open.push(...names.flatMap((name) => foundFrom(lock, folder, name)?.folder ?? []));
  }
  return lockedPackages(lock).flatMap(({ folder }) => unless(seen.has(folder), folder));
}
