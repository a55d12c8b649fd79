import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { findingsIn } from "../../scripts/audit/findings.ts";
import { foundFrom, type Lockfile, lockedPackages } from "../../scripts/audit/lockfile.ts";
import { MAY_RUN_SCRIPTS, RULES } from "../../scripts/audit/rules.ts";
import { brokenLockfiles } from "../support/broken-lockfiles.ts";
import { repositoryFile } from "../support/command.ts";

const LOCK: Lockfile = JSON.parse(readFileSync(repositoryFile("package-lock.json"), "utf8"));
const BROKEN = brokenLockfiles(LOCK, manifest);

describe("package-lock.json", () => {
  it.each(findingsIn(LOCK, manifest))("$says", ({ violations }) => {
    expect(violations).toEqual([]);
  });

  it("is of a project with packages, of which those may run scripts that do", () => {
    const packages = lockedPackages(LOCK);
    expect(packages.length).toBeGreaterThan(100);
    const running = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(running.sort()).toEqual(Object.keys(MAY_RUN_SCRIPTS).sort());
  });
});

describe("the rules for it", () => {
  it.each(BROKEN)("notice, by $rule: $what", ({ rule, lock, manifest }) => {
    const broken = findingsIn(lock, manifest).filter(({ violations }) => violations.length > 0);
    expect(broken.map((finding) => finding.rule)).toContain(rule);
  });

  it("are all tried", () => {
    expect(new Set(BROKEN.map(({ rule }) => rule))).toEqual(new Set(RULES.map(({ name }) => name)));
  });

  it("look for a package as Node does: beside whoever asks, then further up", () => {
    const packages = { "node_modules/a": {}, "node_modules/b": {}, "node_modules/b/node_modules/a": {} };
    const lock = { ...LOCK, packages };
    expect(foundFrom(lock, "node_modules/b", "a")?.folder).toBe("node_modules/b/node_modules/a");
    expect(foundFrom(lock, "node_modules/b/node_modules/a", "b")?.folder).toBe("node_modules/b");
    expect(foundFrom(lock, "", "a")?.folder).toBe("node_modules/a");
    expect(foundFrom(lock, "node_modules/a", "c")).toBeNull();
  });
});
