import { describe, expect, it } from "vitest";
import { pagesOf } from "../../src/cluster/api/collection-pages.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { listOf } from "../support/raw-workloads.ts";

useFakeApiServer();

const live = (): Connection => connect({ kubeconfig: writeKubeconfig(), env: {} });

describe("pagesOf()", () => {
  it("follows the continue token with the same query", async () => {
    apiServer()
      .get("/pods")
      .query({ labelSelector: "a=b", limit: "500" })
      .reply(200, listOf([{ n: 1 }], "more"));
    apiServer()
      .get("/pods")
      .query({ labelSelector: "a=b", limit: "500", continue: "more" })
      .reply(200, listOf([{ n: 2 }]));
    const pages = [];
    for await (const page of pagesOf(live(), "/pods", { labelSelector: "a=b" })) pages.push(page);
    expect(pages).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });
});
