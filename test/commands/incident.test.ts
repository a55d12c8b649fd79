import { describe, expect, it } from "vitest";
import { stdoutOf } from "../support/command.ts";
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
  it.each(WORKLOADS)("has a page of %s that is as reviewed", async (target) => {
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

  it.each(["list", "eta"])("has an answer of %s that is as reviewed", async (command) => {
    await incident();
    await expect(await stdoutOf([command, "-n", "shop"])).toMatchFileSnapshot(`../golden/incident/${command}.txt`);
  });

  it("shows no value of a Secret and of no variable that may be secret, in any form", async () => {
    await incident();
    for (const form of ["table", "wide", "md", "html", "json"]) {
      for (const target of ["deploy/web", "deploy/mail"]) {
        const page = await stdoutOf(["explain", target, "-n", "shop", "-o", form]);
        expect(page).not.toContain("canary");
      }
    }
  });
});
