import { describe, expect, it } from "vitest";
import { apiServer, PATHS, status, useFakeApiServer } from "../support/api-server.ts";
import { eventList, observe } from "../support/observe.ts";

useFakeApiServer();

describe("observePod() without the pod", () => {
  const refuse = (code: number, message = "no"): void => {
    apiServer().get(PATHS.pod).reply(code, status(code, message));
    apiServer().get(PATHS.events).optionally().reply(200, eventList([]));
  };

  it("suggests the nearest names of the namespace", async () => {
    refuse(404);
    const items = ["web-1", "db-0", "wbe-0"].map((name) => ({ metadata: { name } }));
    apiServer()
      .get(PATHS.pods)
      .matchHeader("accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
      .reply(200, { items });
    await expect(observe()).rejects.toMatchObject({
      code: "podNotFound",
      exitCode: 1,
      message: 'Pod "web-0" not found in namespace "prod".\nDid you mean web-1? Pass -n to look elsewhere.',
    });
  });

  it("does without suggestions where it may not list", async () => {
    refuse(404);
    apiServer().get(PATHS.pods).reply(403, status(403, "no"));
    await expect(observe()).rejects.toThrow('Pod "web-0" not found in namespace "prod".\nPass -n to look elsewhere.');
  });

  it.each([
    { code: 403, error: "forbidden", says: 'User "me" cannot get resource "pods"' },
    { code: 401, error: "unauthorized", says: "https://api.example:8080 does not accept your credentials" },
    { code: 500, error: "serverError", says: "https://api.example:8080 answered 500: User" },
    { code: 504, error: "serverError", says: "https://api.example:8080 answered 504: User" },
  ])("says what the user can do about $code", async ({ code, error, says }) => {
    refuse(code, 'User "me" cannot get resource "pods"');
    await expect(observe()).rejects.toMatchObject({ code: error, message: expect.stringContaining(says) });
  });

  it("says that the server cannot be reached, and why", async () => {
    apiServer().get(PATHS.pod).replyWithError(new Error("getaddrinfo ENOTFOUND api.example"));
    apiServer().get(PATHS.events).optionally().reply(200, eventList([]));
    await expect(observe()).rejects.toThrow(
      "Can't reach the API server https://api.example:8080: getaddrinfo ENOTFOUND",
    );
  });

  it("says that the answer is none", async () => {
    apiServer().get(PATHS.pod).reply(200, "<html>");
    apiServer().get(PATHS.events).optionally().reply(200, eventList([]));
    await expect(observe()).rejects.toThrow("Can't read the answer of https://api.example:8080");
  });

  it("says after which time it gave up", async () => {
    apiServer().get(PATHS.pod).delay(2_000).reply(200, {});
    apiServer().get(PATHS.events).optionally().reply(200, eventList([]));
    await expect(observe({}, 100)).rejects.toThrow("within 0.1s");
  });
});
