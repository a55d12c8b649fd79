import { expect, it } from "vitest";
import { hostsIn, withoutVariables } from "../../src/explain/common-links.ts";

it.each([
  ["dial tcp 10.0.0.7:5432: connect: connection refused", ["10.0.0.7:5432"]],
  ['Get "https://api.example.com/v1": x509: certificate has expired', ["api.example.com"]],
  ["could not connect to redis://:pw@cache.prod:6379/0", ["cache.prod:6379"]],
  ["panic: main.go:42 in handler.ts:7", []],
  ["entrypoint.sh:12: cannot reach localhost:5432 or 127.0.0.1:80", []],
  ["12:04:05 no space left on device", []],
])("hostsIn() finds the hosts of %j", (line, hosts) => expect(hostsIn(line)).toEqual(hosts));

it.each([
  ["job 4711 of 3f2504e0-4f89-11d3-9a0c-0305e82c3301 at 12:04:05.123 failed", "job # of # at # failed"],
  ["deadbeef01 10.0.0.7:5432 refused 3 times", "# @ refused # times 10.0.0.7:5432"],
])("withoutVariables() replaces numbers, ids, times and addresses in %j", (line, text) => {
  expect(withoutVariables(line)).toBe(text);
});
