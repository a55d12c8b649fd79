import { describe, expect, it } from "vitest";
import { jsonOf, stdoutOf } from "../support/command.ts";
import { incidentDump, incidentList } from "../support/incident.ts";
import { folderOf } from "../support/input.ts";
import { schemaErrors, undocumentedFields } from "../support/schema.ts";

const AT = ["--at", "2026-11-23T18:52:26Z"];

function fileOf(...kinds: string[]): string[] {
  return [
    "-f",
    `${folderOf({ "shop.json": incidentList(["Deployment", "ReplicaSet", "StatefulSet", ...kinds]) })}/shop.json`,
    ...AT,
  ];
}

describe("what pods in files need", () => {
  it("is inferred from their termination messages and the Services of the input", async () => {
    const argv = fileOf("Pod", "Service", "EndpointSlice");
    const page = await stdoutOf(["explain", "deploy/orders", ...argv]);
    expect(page).toMatch(/^Needs +db:5432 has 0 of 1 ready endpoints; db-0 is crash-looping and$/m);
    const [{ needs }] = (await jsonOf("explain", "deploy/orders", ...argv)).pods;
    expect(needs).toMatchObject([
      { host: "db", port: 5432, readyEndpoints: 0, endpoints: 1, pods: [{ name: "db-0" }] },
    ]);
  });

  it("is known without EndpointSlices from which pods are ready", async () => {
    const [{ needs }] = (await jsonOf("explain", "deploy/orders", ...fileOf("Pod", "Service"))).pods;
    expect(needs).toMatchObject([{ service: "db", readyEndpoints: 0, endpoints: 1, pods: [{ name: "db-0" }] }]);
  });

  it("is unknown without Services, because the cluster may have them", async () => {
    const [{ needs }] = (await jsonOf("explain", "deploy/orders", ...fileOf("Pod"))).pods;
    expect(needs).toEqual([]);
    const web = await jsonOf("explain", "deploy/web", ...fileOf("Pod", "Service"));
    expect(web.pods[0].needs).toEqual([]);
  });

  it("is mentioned on the page of the pod that others need", async () => {
    const argv = fileOf("Pod", "Service");
    const page = await stdoutOf(["explain", "db-0", ...argv]);
    expect(page).toMatch(/^Needed by {2}orders, payments and users could not reach db:5432 \(inferred from$/m);
    const json = await jsonOf("explain", "db-0", ...argv);
    expect([schemaErrors(json), undocumentedFields(json)]).toEqual([[], []]);
    const [{ neededBy, needs }] = json.pods;
    expect(needs).toEqual([]);
    expect(neededBy).toMatchObject([
      { host: "db", service: "db", basis: "inferred", workloads: [{ name: "orders" }, {}, {}] },
    ]);
    const [orders] = (await jsonOf("explain", "deploy/orders", ...argv)).pods;
    expect(orders.neededBy).toBeUndefined();
  });

  it("delays the estimate of the pods that need db until after db is up", async () => {
    const { needs, containers } = await jsonOf("eta", ...fileOf("Pod", "Service", "EndpointSlice"));
    expect(needs).toMatchObject([
      { service: "db", effect: "waits", neededBy: [{ name: "orders" }, { name: "payments" }, { name: "users" }] },
    ]);
    const waiting = containers.filter((one: { needs: object[] }) => one.needs.length > 0);
    expect(waiting).toHaveLength(6);
    const db = containers.find(({ pod }: { pod: string }) => pod === "db-0");
    for (const { upAgain } of waiting) expect(upAgain.likelyBy > db.upAgain.notBefore).toBe(true);
  });
});

describe("the logs of a kubectl cluster-info dump", () => {
  const KINDS = ["Deployment", "ReplicaSet", "StatefulSet", "Pod", "Service"];
  const inFile = (dump: string): string[] => ["-f", `${folderOf({ "dump.json": dump })}/dump.json`, ...AT];

  it("are printed on the page, and show what a pod needs", async () => {
    const page = await stdoutOf(["explain", "deploy/orders", ...inFile(incidentDump(KINDS))]);
    expect(page).toMatch(/^Crash +Exit code 1 after 4s: Error: connect ECONNREFUSED db:5432$/m);
    expect(page).toMatch(/^Log +Error: connect ECONNREFUSED db:5432$/m);
    expect(page).toMatch(/^Needs +db:5432 has 0 of 1 ready endpoints;/m);
  });

  it("say who needs a pod, and order the estimate", async () => {
    const argv = inFile(incidentDump(KINDS));
    const [{ neededBy }] = (await jsonOf("explain", "db-0", ...argv)).pods;
    expect(neededBy[0].workloads.map(({ name }: { name: string }) => name)).toEqual(["orders", "payments", "users"]);
    const { needs } = await jsonOf("eta", ...argv);
    expect(needs).toMatchObject([{ service: "db", effect: "waits" }]);
  });

  it.each<[string, (dump: string) => string]>([
    ["could not be read", (dump) => dump.replaceAll(/^Error: connect/gm, "Request log error: connect")],
    ["is cut off", (dump) => dump.slice(0, dump.indexOf("==== START logs for container orders") + 120)],
  ])("are ignored for a pod whose log %s", async (_, changed) => {
    const page = await stdoutOf(["explain", "deploy/orders", ...inFile(changed(incidentDump(KINDS)))]);
    expect(page).not.toMatch(/^(?:Log|Needs) /m);
  });
});
