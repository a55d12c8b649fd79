import { afterAll, describe, expect, it } from "vitest";
import { leaksIn, PLACES, type Place, secretOf } from "../../lab/secrets/canary.ts";
import { startLab } from "../../lab/secrets/lab.ts";
import { runWithin } from "../../lab/secrets/run-within.ts";
import { plannedRuns } from "../../lab/secrets/runs.ts";
import { searchRun } from "../../lab/secrets/search-run.ts";
import { KEY } from "../support/tls-fixtures.ts";

const lab = await startLab();
// An error on the side would end the process of the tests.
const runs = plannedRuns(lab).filter(({ breaks }) => breaks !== "on the side");
const hosts = new Set<string>();

afterAll(() => lab.close());

describe("kubectl backoff", () => {
  it.each(runs)("prints no secret: $what", async (run) => {
    const searched = await searchRun(run, (planned) => runWithin(lab, planned));
    for (const host of searched.hosts) hosts.add(host);
    expect(searched.leaks).toEqual([]);
  });
});

describe("all these runs together", () => {
  it("sent only GET requests to the API servers", () => {
    expect(lab.simulator.requests.length).toBeGreaterThan(100);
    const asked = [...lab.simulator.requests, ...lab.difficult.requests];
    expect([...new Set(asked.map(({ method }) => method))]).toEqual(["GET"]);
  });

  it("connected to all hosts of the kubeconfigs (servers, proxies, identity providers) and to no other", () => {
    const { simulator, difficult, proxy } = lab;
    const known = [simulator.url, difficult.url].map((url) => new URL(url).host);
    // No server listens at 127.0.0.1:1. "me:80" is how a proxy's address reads if its password has a slash.
    const absent = ["127.0.0.1:1", "me:80"];
    expect([...hosts].sort()).toEqual([...known, ...absent, proxy.address].sort());
  });

  it("sent the planted tokens to the server, and requests to the proxy", () => {
    const sent = new Set(lab.simulator.requests.map(({ headers }) => headers.authorization ?? ""));
    const places: Place[] = ["token", "token file", "exec token", "renewed id token", "token flag"];
    for (const place of places) expect([...sent].some((header) => header.includes(secretOf(place)))).toBe(true);
    expect(new Set(lab.proxy.asked.map((asked) => asked.split(" ")[0]))).toEqual(new Set(["api.example:443"]));
  });
});

it("leaksIn() finds a secret in part, in upper case, and in Base64", () => {
  for (const place of PLACES) {
    const secret = secretOf(place);
    const encoded = Buffer.from(`me:${secret}`).toString("base64");
    for (const text of [secret.toUpperCase(), encoded, `x${secret.slice(7, 13)}y`, `%${secret.slice(-6)}`])
      expect(leaksIn(`Error: ${text}.`)).toEqual([place]);
  }
  const [, line = ""] = KEY.pem.split("\n");
  for (const text of [line, Buffer.from(KEY.pem).toString("base64")]) expect(leaksIn(text)).toEqual(["client key"]);
});
