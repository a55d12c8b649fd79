import { describe, expect, it } from "vitest";
import type { Missing } from "../../src/explain/observed/observation.ts";
import {
  answerEverything,
  apiServer,
  aRawPod,
  PATHS,
  SERVER_CLOCK_MS,
  useFakeApiServer,
} from "../support/api-server.ts";
import { eventList, LOCAL_NOW_MS, names, observe, observedPod } from "../support/observe.ts";

useFakeApiServer();

describe("observePod()", () => {
  it("sees the pod, its events, its node, that one's events and its kubelet's configuration", async () => {
    answerEverything();
    const { pod, earlier, events, node, nodeEvents, kubeletConfig, missing } = await observedPod();
    expect(pod).toMatchObject({ namespace: "prod", name: "web-0", nodeName: "node-a" });
    expect(earlier).toEqual([]);
    expect(names(events)).toEqual(["one"]);
    expect(node?.kubeletVersion).toBe("v1.37.1");
    expect(names(nodeEvents)).toEqual(["two"]);
    expect(kubeletConfig?.maxContainerRestartPeriodMs).toBe(60_000);
    expect(missing).toEqual([]);
  });

  it.each<{ refused: keyof typeof PATHS; code: number; missing: Missing }>([
    { refused: "events", code: 403, missing: { what: "events", why: "forbidden" } },
    { refused: "events", code: 500, missing: { what: "events", why: "unreachable" } },
    { refused: "node", code: 403, missing: { what: "node", why: "forbidden" } },
    { refused: "node", code: 404, missing: { what: "node", why: "not-found" } },
    { refused: "nodeEvents", code: 403, missing: { what: "node-events", why: "forbidden" } },
    { refused: "nodeConfig", code: 403, missing: { what: "node-config", why: "forbidden" } },
    { refused: "nodeConfig", code: 502, missing: { what: "node-config", why: "unreachable" } },
    { refused: "nodeConfig", code: 504, missing: { what: "node-config", why: "timeout" } },
    { refused: "nodeConfig", code: 401, missing: { what: "node-config", why: "forbidden" } },
  ])("does without $refused when the server answers $code", async ({ refused, code, missing }) => {
    answerEverything({ [refused]: { code, message: "no" } });
    const observed = await observedPod();
    expect(observed.pod.name).toBe("web-0");
    expect(observed.missing).toEqual([missing]);
  });

  it("keeps all events of the node when its UID cannot be seen", async () => {
    answerEverything({ node: { code: 403, message: "no" } });
    expect(names((await observedPod()).nodeEvents)).toEqual(["two"]);
  });

  it("does without an answer that comes too late", async () => {
    apiServer()
      .get(PATHS.pod)
      .reply(200, aRawPod({ spec: { nodeName: null } }));
    apiServer().get(PATHS.events).delay(2_000).reply(200, eventList([]));
    const observation = await observe({}, 300);
    expect(observation.pods[0]?.missing).toEqual([{ what: "events", why: "timeout" }]);
  });

  it("takes a configuration that is none for missing", async () => {
    apiServer().get(PATHS.pod).reply(200, aRawPod());
    for (const path of [PATHS.events, PATHS.nodeEvents]) apiServer().get(path).reply(200, eventList([]));
    apiServer().get(PATHS.node).reply(200, {});
    apiServer().get(PATHS.nodeConfig).reply(200, "404 page not found");
    expect((await observedPod()).missing).toEqual([{ what: "node-config", why: "unreachable" }]);
  });

  it("does not ask the kubelet when told so", async () => {
    answerEverything({ nodeConfig: "unasked" });
    expect((await observedPod({ nodeConfig: "never" })).missing).toEqual([{ what: "node-config", why: "not-asked" }]);
  });

  it("asks for no node when the pod has none yet", async () => {
    apiServer()
      .get(PATHS.pod)
      .reply(200, aRawPod({ spec: { nodeName: null } }));
    apiServer().get(PATHS.events).reply(200, eventList([]));
    expect(await observedPod()).toMatchObject({ node: null, nodeEvents: [], kubeletConfig: null, missing: [] });
  });
});

describe("the moment of observePod()", () => {
  const answer = (headers: Record<string, string>): void => {
    apiServer()
      .get(PATHS.pod)
      .reply(200, aRawPod({ spec: { nodeName: null } }), headers);
    apiServer().get(PATHS.events).reply(200, eventList([]));
  };

  it.each([
    { atMs: 5, date: undefined, moment: { atMs: 5, atBasis: "flag" }, why: "--at before all" },
    { atMs: null, date: undefined, moment: { atMs: SERVER_CLOCK_MS, atBasis: "server-clock" }, why: "the Date header" },
    {
      atMs: null,
      date: "soon",
      moment: { atMs: LOCAL_NOW_MS, atBasis: "local-clock" },
      why: "no Date that can be read",
    },
  ])("is $moment.atBasis: $why", async ({ atMs, date, moment }) => {
    answer(date === undefined ? {} : { Date: date });
    expect(await observe({ atMs })).toMatchObject(moment);
  });
});
