import { expect, it } from "vitest";
import { pagesOf } from "../../src/cluster/api/collection-pages.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";

it("pagesOf() reads a list to its end, however long it is", async () => {
  const body = (page: number) => ({ metadata: { continue: page < 300 ? `${page + 1}` : "" }, items: [{ page }] });
  const get: Connection["get"] = async (_, { query } = {}) => {
    return { body: body(Number(query?.["continue"] ?? 1)), serverClockMs: null };
  };
  const pages = await Array.fromAsync(pagesOf({ get } as Connection, "/api/v1/pods"));
  expect(pages.flat()).toHaveLength(300);
});
