import { beforeEach, describe, expect, it } from "vitest";
import { answerEverything, apiServer, useFakeApiServer } from "../support/api-server.ts";
import { eventList, names, observedPod, observeWeb0 } from "../support/observe.ts";
import { LOCAL_NOW_MS } from "../support/observe-targets.ts";
import { aRawEvent, aRawPod, PATHS, SERVER_CLOCK_MS, status } from "../support/raw-objects.ts";

useFakeApiServer();

describe("observeTargets() of one pod", () => {
  it("reads the pod, its events, its node, the node's events and the kubelet's configuration", async () => {
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

  it("keeps the node's events if the node itself is forbidden", async () => {
    answerEverything({ node: { code: 403, message: "no" } });
    expect(names((await observedPod()).nodeEvents)).toEqual(["two"]);
  });

  it("treats an invalid configuration as missing", async () => {
    withEvents([], aRawPod());
    for (const path of [PATHS.node, PATHS.nodeEvents]) apiServer().get(path).reply(200, {});
    apiServer().get(PATHS.nodeConfig).reply(200, "404 page not found");
    expect((await observedPod()).missing).toEqual([{ what: "node-config", why: "unreachable" }]);
  });

  it("requests no node if the pod has none yet", async () => {
    withEvents([]);
    expect(await observedPod()).toMatchObject({ node: null, nodeEvents: [], kubeletConfig: null, missing: [] });
  });
});

const NOWHERE = aRawPod({ spec: { nodeName: null } });

function withEvents(items: object[], pod = NOWHERE, more = ""): void {
  apiServer().get(PATHS.pod).reply(200, pod);
  apiServer().get(PATHS.events).reply(200, eventList(items, more));
}

describe("the moment of observeTargets()", () => {
  it.each([
    { asked: 5, date: undefined, atMs: 5, atBasis: "flag", why: "--at comes first" },
    { asked: null, date: undefined, atMs: SERVER_CLOCK_MS, atBasis: "server-clock", why: "the Date header" },
    { asked: null, date: "soon", atMs: LOCAL_NOW_MS, atBasis: "local-clock", why: "the Date header cannot be read" },
  ])("is $atBasis: $why", async ({ asked, date, atMs, atBasis }) => {
    apiServer()
      .get(PATHS.pod)
      .reply(200, NOWHERE, date === undefined ? {} : { Date: date });
    apiServer().get(PATHS.events).reply(200, eventList([]));
    expect(await observeWeb0({ atMs: asked })).toMatchObject({ atMs, atBasis });
  });
});

describe("the events of observeTargets()", () => {
  it("are not those of an earlier pod of the same name", async () => {
    withEvents([aRawEvent("mine"), aRawEvent("old", { uid: "another" })]);
    expect(names((await observedPod()).events)).toEqual(["mine"]);
  });

  it("of a static pod have the UID of its file", async () => {
    const annotations = { "kubernetes.io/config.mirror": "uid-of-file" };
    const pod = aRawPod({ metadata: { annotations }, spec: { nodeName: null } });
    withEvents([aRawEvent("static", { uid: "uid-of-file" })], pod);
    expect(names((await observedPod()).events)).toEqual(["static"]);
  });

  it("come page by page", async () => {
    withEvents([aRawEvent("one")], NOWHERE, "next/page");
    const rest = eventList([aRawEvent("two")]);
    apiServer().get(`${PATHS.events}&continue=next%2Fpage`).reply(200, rest);
    expect(names((await observedPod()).events)).toEqual(["one", "two"]);
  });

  it("stay when a later page fails, and the rest is missing", async () => {
    withEvents([aRawEvent("one")], NOWHERE, "next");
    apiServer().get(`${PATHS.events}&continue=next`).reply(410, status(410, "expired"));
    const { events, missing } = await observedPod();
    expect(names(events)).toEqual(["one"]);
    expect(missing).toEqual([{ what: "events", why: "unreachable" }]);
  });

  it("end after ten pages if the server always has more", async () => {
    withEvents([], NOWHERE, "more");
    apiServer().get(`${PATHS.events}&continue=more`).times(9).reply(200, eventList([], "more"));
    expect((await observedPod()).events).toEqual([]);
  });
});

describe("observeTargets() without the pod", () => {
  beforeEach(() => {
    apiServer().get(PATHS.pod).reply(404, status(404, "no"));
    apiServer().get(PATHS.events).optionally().reply(200, eventList([]));
  });

  it("suggests the nearest names of the namespace", async () => {
    const items = ["web-1", "db-0", "wbe-0"].map((name) => ({ metadata: { name } }));
    apiServer()
      .get(PATHS.pods)
      .matchHeader("accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
      .reply(200, { items });
    await expect(observeWeb0()).rejects.toMatchObject({
      code: "podNotFound",
      exitCode: 1,
      message: 'Pod "web-0" not found in namespace "prod".\nDid you mean web-1? Pass -n to look elsewhere.',
    });
  });

  it("makes no suggestions without the right to list", async () => {
    apiServer().get(PATHS.pods).reply(403, status(403, "no"));
    await expect(observeWeb0()).rejects.toThrow(
      'Pod "web-0" not found in namespace "prod".\nPass -n to look elsewhere.',
    );
  });
});
