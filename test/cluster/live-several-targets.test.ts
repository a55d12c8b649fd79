import { describe, expect, it } from "vitest";
import type { TargetsObservation } from "../../src/cluster/pods/target-observe.ts";
import { useFakeApiServer } from "../support/api-server.ts";
import { answer, answerList, inProd, observeWords, refuseTheRest } from "../support/observe-targets.ts";
import { aFineRawPod } from "../support/raw-workloads.ts";

useFakeApiServer();

const SET = { kind: "StatefulSet", name: "db" };
const podNames = ({ observation }: TargetsObservation): string[] => observation.pods.map(({ pod }) => pod.name);

describe("observeTargets() of several", () => {
  it("gives those that are there, and the failures of the others, equal ones once", async () => {
    answer(inProd("pods", "web-0"), aFineRawPod(SET, "web-0"));
    answer(inProd("pods", "web-9"), 404);
    answerList("pods", [aFineRawPod(SET, "web-0")]);
    for (const name of ["a", "b"]) answer(inProd("pods", name), 500);
    refuseTheRest();
    const found = await observeWords(["web-0", "web-9", "a", "b"]);
    expect(podNames(found)).toEqual(["web-0"]);
    expect(found.selection.named).toEqual(["prod/web-0"]);
    expect(found.failures.map(({ code }) => code)).toEqual(["podNotFound", "serverError", "serverError"]);
  });

  it("asks for the events of many pods at once", async () => {
    const pods = Array.from({ length: 5 }, (_, index) => aFineRawPod(SET, `web-${index}`));
    answerList("pods", pods, "app=web");
    const event = (name: string, pod: string) => ({
      metadata: { name },
      reason: "BackOff",
      involvedObject: { kind: "Pod", name: pod, uid: `uid-of-${pod}` },
    });
    const events = [event("one", "web-1"), event("two", "web-3"), event("strange", "db-0")];
    answer(inProd("events"), { items: events }, { fieldSelector: "involvedObject.kind=Pod", limit: "500" });
    const { observation } = await observeWords([], { selector: "app=web" });
    expect(observation.pods.map(({ pod, events: own }) => [pod.name, own.map(({ name }) => name)])).toEqual([
      ["web-0", []],
      ["web-1", ["one"]],
      ["web-2", []],
      ["web-3", ["two"]],
      ["web-4", []],
    ]);
  });

  it("reads a selector's pods page by page, in all namespaces if told so", async () => {
    const query = { labelSelector: "app=web", limit: "500" };
    answer("/api/v1/pods", { metadata: { continue: "t" }, items: [aFineRawPod(SET, "web-0")] }, query);
    answer("/api/v1/pods", { metadata: {}, items: [aFineRawPod(SET, "web-1")] }, { ...query, continue: "t" });
    refuseTheRest();
    expect(podNames(await observeWords([], { selector: "app=web", allNamespaces: true }))).toEqual(["web-0", "web-1"]);
  });

  it("takes all pods of the namespace where nothing is named", async () => {
    answerList("pods", [aFineRawPod(SET, "web-0"), aFineRawPod(SET, "web-1")]);
    refuseTheRest();
    expect(podNames(await observeWords([]))).toEqual(["web-0", "web-1"]);
  });

  it("notes that nothing matches", async () => {
    answerList("pods", [], "app=nope");
    expect(await observeWords([], { selector: "app=nope" })).toMatchObject({
      notes: ['No pods match "app=nope" in namespace "prod".'],
      selection: { matched: 0 },
    });
  });

  it.each([
    { words: ["web-0"], request: { selector: "a=b" }, code: "namesAndSelector" },
    { words: ["web-0"], request: { allNamespaces: true }, code: "namesInAllNamespaces" },
    { words: [], request: { selector: "=" }, code: "badFlag" },
  ])("refuses $words with $request: $code", async ({ words, request, code }) => {
    await expect(observeWords(words, request)).rejects.toMatchObject({ code, exitCode: 2 });
  });
});
