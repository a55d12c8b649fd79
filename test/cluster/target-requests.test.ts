import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { politely } from "../../src/cluster/api/request-places.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { apiServer, SERVER_CLOCK_MS, useFakeApiServer } from "../support/api-server.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";

useFakeApiServer();

const live = (): Connection => connect({ kubeconfig: writeKubeconfig(), env: {} });

describe("politely()", () => {
  it("has no more than ten requests in flight, and answers all of them, failures too", async () => {
    let inFlight = 0;
    let most = 0;
    const slow: Connection = {
      ...live(),
      get: async (path) => {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inFlight--;
        if (path.endsWith("3")) throw new Error(path);
        return { body: path, serverClockMs: null };
      },
    };
    const polite = politely(slow);
    const answers = await Promise.allSettled(Array.from({ length: 45 }, (_, index) => polite.get(`/${index}`)));
    expect(most).toBe(10);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(40);
    expect(inFlight).toBe(0);
  });

  it("remembers the server's clock", async () => {
    apiServer().get("/a").reply(200, {});
    const polite = politely(live());
    expect(polite.newestClockMs()).toBeNull();
    await polite.get("/a");
    expect(polite.newestClockMs()).toBe(SERVER_CLOCK_MS);
  });
});
