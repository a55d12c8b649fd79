import { expect, it } from "vitest";
import type { SettingChange } from "../../src/explain/answer/setting-change.ts";
import { decidesFailure } from "../../src/explain/owners/deciding-settings.ts";
import { container, DOWN, pod } from "../support/explanations.ts";

const env = (name: string, old: string | null, now: string | null): Partial<SettingChange> => {
  return { path: `env ${name}`, old, new: now };
};
const SCRIPT = "sh -c 'connect to db; retry three times; print refused; then exit with an error'";

it.each<{ change: Partial<SettingChange>; log: readonly string[]; is: boolean; why: string }>([
  {
    change: env("DB_HOST", "db", "dbx"),
    log: ["panic: lookup dbx: no such host"],
    is: true,
    why: "the log names the value",
  },
  {
    change: env("DB_HOST", "db", "dbx"),
    log: ["panic: lookup dbx2: no such host"],
    is: false,
    why: "the value is only a part of a longer word",
  },
  {
    change: env("PORT", "80", "18443"),
    log: ["listen tcp :18443: bind: in use"],
    is: true,
    why: "the log has only a part of the value",
  },
  {
    change: env("PAY_URL", "https://pay", null),
    log: ["FATAL: PAY_URL is not set"],
    is: true,
    why: "the log names the variable",
  },
  {
    change: env("LEVEL", "info", "debug"),
    log: ["log level debug", "FATAL: no database"],
    is: false,
    why: "the value comes before the error",
  },
  {
    change: env("TLS", "false", "true"),
    log: ["error: true is no boolean"],
    is: false,
    why: "the value is too common",
  },
  {
    change: { path: "args", old: "2gb", new: "2gbb" },
    log: ["FATAL CONFIG FILE ERROR", ">>> maxmemory 2gbb"],
    is: true,
    why: "the value comes after the error",
  },
  {
    change: { path: "command", old: "run", new: SCRIPT },
    log: ["error: connect refused"],
    is: false,
    why: "the value is a script",
  },
  {
    change: { ...env("DB_HOST", "db", "dbx"), container: "proxy" },
    log: ["panic: lookup dbx"],
    is: false,
    why: "the setting is another container's",
  },
])("decidesFailure() is $is of $change.path where the log says $log: $why", ({ change, log, is }) => {
  const logs = { instance: "last-exit" as const, lines: log, isTruncated: false };
  const failing = pod([container({ ...DOWN, logs })], { verdict: "crash-looping" });
  expect(
    decidesFailure({ container: "app", kind: "changed", path: "", old: null, new: null, ...change }, failing),
  ).toBe(is);
});
