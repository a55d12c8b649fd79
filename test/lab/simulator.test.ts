import { readFileSync } from "node:fs";
import { get } from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../lab/api-server/simulator.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import { aRawPod } from "../support/api-server.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";

let simulator: Simulator;

async function start(options: SimulatorOptions): Promise<Simulator> {
  simulator = await startSimulator(options);
  return simulator;
}

afterEach(() => simulator.close());

// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
async function ask(path: string, accept?: string): Promise<any> {
  const connection = connect({ kubeconfig: writeKubeconfig(simulator.cluster), env: {} });
  return (await connection.get(path, accept === undefined ? {} : { accept })).body;
}

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

describe("the simulated API server's lists", () => {
  it("give every pod of the crowd once, in the order of their keys, page by page", async () => {
    await start({ crowd: { pods: 250, looping: 5 } });
    const keys: string[] = [];
    for (let more: string | null = ""; more !== null; ) {
      const page = await ask(`/api/v1/pods?limit=100${more && `&continue=${more}`}`);
      keys.push(...page.items.map(({ metadata }: never) => `${metadata["namespace"]}/${metadata["name"]}`));
      expect(page.metadata.remainingItemCount ?? 0).toBe(250 - keys.length);
      more = page.metadata.continue ?? null;
    }
    expect(keys).toHaveLength(250);
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  it("print tables as kubectl gets them, without objects if asked so", async () => {
    await start({ objects: [aRawPod()], clock: () => Date.UTC(2026, 10, 21, 12, 10) });
    const table = await ask("/api/v1/pods?includeObject=None", TABLE);
    expect(table).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
    const cells = ["web-0", "0/1", "CrashLoopBackOff", "5 (46s ago)", "10m", "<none>", "node-a", "<none>", "<none>"];
    expect(table.rows).toEqual([{ cells, object: null }]);
    const [row] = (await ask("/api/v1/pods", TABLE)).rows;
    expect(row.object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { namespace: "prod", name: "web-0" } });
    expect(row.object.spec).toBeUndefined();
  });

  it("select by labels and fields, and may end in an empty page", async () => {
    await start({ crowd: { pods: 100 } });
    const page = await ask(
      "/api/v1/pods?limit=10&labelSelector=app%20in%20(app-0003,app-0004)&fieldSelector=status.phase!=Succeeded",
    );
    expect(page.items.every(({ metadata }: never) => /app-000[34]/.test(metadata["name"]))).toBe(true);
    const rest = await ask(`/api/v1/pods?limit=99&labelSelector=app=app-0000&continue=${page.metadata.continue}`);
    expect(rest.items).toEqual([]);
  });

  it("refuse a continue token that is too old with 410, and name one that goes on", async () => {
    await start({ crowd: { pods: 30 } });
    const { metadata } = await ask("/api/v1/pods?limit=10");
    simulator.expire();
    await expect(ask(`/api/v1/pods?limit=10&continue=${metadata.continue}`)).rejects.toMatchObject({ status: 410 });
  });
});

describe("the simulated API server's faults", () => {
  it("come for the requests that they are meant for, as often as asked", async () => {
    await start({ crowd: { pods: 1 }, forbidden: ["nodes"] });
    simulator.fail({ path: "/pods", fault: { status: 500, message: "etcd is gone" }, after: 1, times: 1 });
    simulator.fail({ path: "/events", fault: "cut-off" });
    await expect(ask("/api/v1/pods")).resolves.toBeDefined();
    await expect(ask("/api/v1/pods")).rejects.toMatchObject({ status: 500, message: "etcd is gone" });
    await expect(ask("/api/v1/pods")).resolves.toBeDefined();
    await expect(ask("/api/v1/events")).rejects.toMatchObject({ kind: "unreachable" });
    await expect(ask("/api/v1/nodes")).rejects.toMatchObject({ kind: "forbidden" });
    // What breaks off is asked for again.
    const asked = new Set(simulator.requests.map(({ path }) => path.slice("/api/v1".length)));
    expect([...asked]).toEqual(["/pods", "/events", "/nodes"]);
    expect(simulator.requests.filter(({ path }) => path.endsWith("/pods"))).toHaveLength(3);
  });
});

describe("the simulated API server's watches", () => {
  /** The lines of a watch, as they come. */
  async function watch(query: string): Promise<{ lines: () => string[]; closed: Promise<unknown> }> {
    let text = "";
    const url = `${simulator.url}/api/v1/namespaces/prod/pods?watch=1&${query}`;
    return new Promise((resolve) => {
      get(url, { ca: readFileSync(simulator.cluster["certificate-authority"]) }, (response) => {
        response.on("data", (chunk) => {
          text += chunk;
        });
        const closed = new Promise((done) => response.on("close", done).on("error", done));
        resolve({ lines: () => text.split("\n").slice(0, -1), closed });
      });
    });
  }

  const settled = () => new Promise((resolve) => setTimeout(resolve, 50));
  const kinds = (lines: string[]): string[] => lines.map((line) => JSON.parse(line).type);

  it("tell what happens from the version on that is asked for, and bookmarks to those who want them", async () => {
    await start({ objects: [aRawPod()] });
    const version = simulator.put(aRawPod({ metadata: { name: "web-0" } }));
    const watched = await watch(
      `resourceVersion=${version}&allowWatchBookmarks=true&fieldSelector=metadata.name=web-0`,
    );
    simulator.put(aRawPod());
    simulator.put(aRawPod({ metadata: { name: "web-1" } }));
    simulator.watches.bookmark();
    simulator.remove("prod", "web-0");
    await settled();
    expect(kinds(watched.lines())).toEqual(["MODIFIED", "BOOKMARK", "DELETED"]);
  });

  it("begin with what is there, fall silent, and are dropped", async () => {
    await start({ objects: [aRawPod()] });
    const watched = await watch("");
    simulator.put(aRawPod());
    await settled();
    simulator.watches.silence();
    simulator.put(aRawPod());
    await settled();
    expect(kinds(watched.lines())).toEqual(["ADDED", "MODIFIED"]);
    expect(simulator.watches.count()).toBe(1);
    simulator.watches.drop();
    await watched.closed;
    expect(simulator.watches.count()).toBe(0);
  });

  it("end with 410 when their history is forgotten, and for those who ask for it later", async () => {
    await start({ objects: [aRawPod()] });
    const version = simulator.put(aRawPod());
    const watched = await watch(`resourceVersion=${version}`);
    simulator.watches.expire();
    await watched.closed;
    const later = await watch(`resourceVersion=${version}`);
    await later.closed;
    for (const { lines } of [watched, later])
      expect(JSON.parse(lines().join(""))).toMatchObject({ type: "ERROR", object: { code: 410 } });
  });
});
