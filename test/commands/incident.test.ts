import { describe, expect, it } from "vitest";
import { jsonOf, stdoutOf } from "../support/command.ts";
import { incident } from "../support/incident.ts";

const WORKLOADS = [
  "deploy/api",
  "deploy/billing",
  "deploy/cart",
  "sts/db",
  "deploy/mail",
  "deploy/mailer",
  "job/migrate",
  "deploy/orders",
  "deploy/payments",
  "sts/queue",
  "deploy/report",
  "deploy/search",
  "deploy/users",
  "deploy/web",
];

describe("an incident of fourteen workloads", () => {
  it.each(WORKLOADS)("has a page of %s that equals its golden file", async (target) => {
    await incident();
    const page = await stdoutOf(["explain", target, "-n", "shop"]);
    await expect(page).toMatchFileSnapshot(`../golden/incident/${target.replace("/", "-")}.txt`);
    for (const line of page.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each(["deploy/web", "deploy/cart", "deploy/mail"])("has the settings of %s in -o wide", async (target) => {
    await incident();
    const page = await stdoutOf(["explain", target, "-n", "shop", "-o", "wide"]);
    await expect(page).toMatchFileSnapshot(`../golden/incident/${target.replace("/", "-")}.wide.txt`);
  });

  it.each(["list", "eta"])("has an answer of %s that equals its golden file", async (command) => {
    await incident();
    await expect(await stdoutOf([command, "-n", "shop"])).toMatchFileSnapshot(`../golden/incident/${command}.txt`);
  });

  it("says once which workload needs sts/db if both are explained", async () => {
    await incident();
    const page = await stdoutOf(["explain", "sts/db", "deploy/orders", "-n", "shop"]);
    expect(page).toMatch(/^Needed by {2}orders could not reach db:5432 \(inferred from its last output\)$/m);
    expect(page.match(/^Needed by/gm)).toHaveLength(1);
  });

  it("has an answer of eta -o wide that equals its golden file", async () => {
    await incident();
    const wide = await stdoutOf(["eta", "-n", "shop", "-o", "wide"]);
    await expect(wide).toMatchFileSnapshot("../golden/incident/eta.wide.txt");
  });

  it.each([["pods/log"], ["services"], ["endpointslices"]])(
    "has an estimate without the right to read %s",
    async (what) => {
      await incident([what]);
      const { needs, quantiles, containers } = await jsonOf("eta", "-n", "shop");
      const waiting = containers.filter((one: { needs: object[] }) => one.needs.length > 0);
      // Without EndpointSlices, the program goes by the pods of a Service.
      expect([needs.length, waiting.length]).toEqual(what === "endpointslices" ? [2, 6] : [0, 0]);
      expect(quantiles).toHaveLength(4);
    },
  );

  it("finds the same needs for named workloads as for the whole namespace", async () => {
    await incident();
    const all = await jsonOf("eta", "-n", "shop");
    const named = ["deploy/orders", "deploy/payments", "deploy/users"];
    const some = await jsonOf("eta", ...named, "-n", "shop");
    expect(some.needs[0]).toMatchObject({ service: "db", effect: "waits", neededBy: all.needs[0].neededBy });
    expect(some.containers).toHaveLength(6);
    for (const { pod, needs } of some.containers) {
      expect(needs).toEqual([{ namespace: "shop", service: "db" }]);
      expect(all.containers.find((one: { pod: string }) => one.pod === pod).needs).toEqual(needs);
    }
  });

  it.each(["table", "wide", "md", "html"])("has one report of a failed Job and its pods in -o %s", async (form) => {
    await incident();
    const page = await stdoutOf(["explain", "job/migrate", "-n", "shop", "-o", form]);
    expect(page.match(/19:12:07/g)?.length).toBe(form === "html" ? 2 : 1);
    expect(page).toContain("job/migrate failed at 19:12:07");
    expect(page).toContain("duplicate key value violates unique");
    expect(page).toContain("migrate-knvgj (ended at 19:11:54");
  });

  it("shows no value of a Secret or of a variable that may be secret, in any form", async () => {
    await incident();
    for (const form of ["table", "wide", "md", "html", "json"]) {
      for (const target of ["deploy/web", "deploy/mail"]) {
        const page = await stdoutOf(["explain", target, "-n", "shop", "-o", form]);
        expect(page).not.toContain("canary");
      }
    }
  });
});
