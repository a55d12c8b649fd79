import { describe, expect, it } from "vitest";
import { apiServer, aRawEvent, aRawPod, PATHS, status, useFakeApiServer } from "../support/api-server.ts";
import { eventList, names, observedPod } from "../support/observe.ts";

useFakeApiServer();

describe("the events of observePod()", () => {
  const withEvents = (items: object[], pod = aRawPod({ spec: { nodeName: null } })): void => {
    apiServer().get(PATHS.pod).reply(200, pod);
    apiServer().get(PATHS.events).reply(200, eventList(items));
  };

  it("are not those of an earlier pod of the same name", async () => {
    withEvents([aRawEvent("mine"), aRawEvent("old", { uid: "another" })]);
    expect(names((await observedPod()).events)).toEqual(["mine"]);
  });

  it("of a static pod carry the UID of its file", async () => {
    const annotations = { "kubernetes.io/config.mirror": "uid-of-file" };
    withEvents(
      [aRawEvent("static", { uid: "uid-of-file" })],
      aRawPod({ metadata: { annotations }, spec: { nodeName: null } }),
    );
    expect(names((await observedPod()).events)).toEqual(["static"]);
  });

  it("come page by page", async () => {
    apiServer()
      .get(PATHS.pod)
      .reply(200, aRawPod({ spec: { nodeName: null } }));
    apiServer()
      .get(PATHS.events)
      .reply(200, eventList([aRawEvent("one")], "next/page"));
    apiServer()
      .get(`${PATHS.events}&continue=next%2Fpage`)
      .reply(200, eventList([aRawEvent("two")]));
    expect(names((await observedPod()).events)).toEqual(["one", "two"]);
  });

  it("stay when a later page fails, and the rest is missing", async () => {
    apiServer()
      .get(PATHS.pod)
      .reply(200, aRawPod({ spec: { nodeName: null } }));
    apiServer()
      .get(PATHS.events)
      .reply(200, eventList([aRawEvent("one")], "next"));
    apiServer().get(`${PATHS.events}&continue=next`).reply(410, status(410, "expired"));
    const { events, missing } = await observedPod();
    expect(names(events)).toEqual(["one"]);
    expect(missing).toEqual([{ what: "events", why: "unreachable" }]);
  });

  it("end where a server never stops continuing", async () => {
    apiServer()
      .get(PATHS.pod)
      .reply(200, aRawPod({ spec: { nodeName: null } }));
    apiServer().get(PATHS.events).reply(200, eventList([], "more"));
    apiServer().get(`${PATHS.events}&continue=more`).times(9).reply(200, eventList([], "more"));
    expect((await observedPod()).events).toEqual([]);
  });
});
