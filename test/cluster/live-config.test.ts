import { beforeEach, describe, expect, it } from "vitest";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { answer, inProd, observeWords, refuseTheRest } from "../support/observe-targets.ts";
import { aFineRawPod, aRawOwnedPod, UNREAD_OWNER } from "../support/raw-workloads.ts";

useFakeApiServer();

const METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const WRITTEN_AT = "2026-11-21T12:00:00Z";
const REFERENCE = { name: "db", key: "url" };
const SPEC = {
  containers: [
    {
      name: "app",
      image: "web:1",
      env: [
        { name: "URL", valueFrom: { secretKeyRef: REFERENCE } },
        { name: "MODE", value: "fast" },
        { name: "PORT", valueFrom: { configMapKeyRef: { ...REFERENCE, optional: true } } },
      ],
      envFrom: [{ configMapRef: { name: "settings" } }],
    },
  ],
  volumes: [
    { name: "tls", secret: { secretName: "tls", optional: true } },
    { name: "all", projected: { sources: [{ configMap: { name: "settings" } }, { secret: { name: "db" } }] } },
    { name: "kube-api-access-x", projected: { sources: [{ configMap: { name: "kube-root-ca.crt" } }] } },
    { name: "data", persistentVolumeClaim: { claimName: "data-web-0" } },
  ],
};

function withSpec(pod: object): object {
  return { ...pod, spec: { ...(pod as { spec: object }).spec, ...SPEC } };
}

function answerSource(path: string, body: object | number): void {
  const interceptor = apiServer()
    .get(`/api/v1/namespaces/prod/${path}`)
    .matchHeader("accept", METADATA_ONLY)
    .optionally(false);
  if (typeof body === "number") interceptor.reply(body, {});
  else interceptor.reply(200, body);
}

const object = (more: object = {}) => ({
  metadata: {
    creationTimestamp: WRITTEN_AT,
    resourceVersion: "7",
    managedFields: [{ manager: "helm", operation: "Update", time: WRITTEN_AT }],
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": "hunter2" },
  },
  ...more,
});

describe("the ConfigMaps and Secrets of a pod", () => {
  beforeEach(() => refuseTheRest());

  it("are requested once each, only their metadata, and nothing else of them is kept", async () => {
    answer(inProd("pods", "web-0"), withSpec(aRawOwnedPod(UNREAD_OWNER, "web-0")));
    answerSource("secrets/db", object({ data: { url: "hunter2" } }));
    answerSource("configmaps/db", 404);
    answerSource("configmaps/settings", object());
    answerSource("secrets/tls", 403);
    const { observation } = await observeWords(["web-0"]);
    const [pod] = observation.pods;
    expect(pod?.pod.sources).toEqual([
      { kind: "Secret", name: "db", isOptional: false },
      { kind: "ConfigMap", name: "db", isOptional: true },
      { kind: "ConfigMap", name: "settings", isOptional: false },
      { kind: "Secret", name: "tls", isOptional: true },
    ]);
    expect(pod?.pod.claims).toEqual(["data-web-0"]);
    const lastWrite = { by: "helm", atMs: Date.parse(WRITTEN_AT) };
    const known = { createdAtMs: Date.parse(WRITTEN_AT), version: 7, lastWrite };
    expect(pod?.config?.sources).toEqual([
      { kind: "Secret", name: "db", ...known },
      { kind: "ConfigMap", name: "settings", ...known },
    ]);
    expect(JSON.stringify(observation)).not.toContain("hunter2");
  });

  it("are reported as absent if they do not exist and the pod needs them", async () => {
    answer(inProd("pods", "web-0"), withSpec(aRawOwnedPod(UNREAD_OWNER, "web-0")));
    for (const path of ["secrets/db", "configmaps/db", "configmaps/settings", "secrets/tls"]) answerSource(path, 404);
    const { observation } = await observeWords(["web-0"]);
    expect(observation.pods[0]?.config?.sources).toMatchObject([
      { kind: "Secret", name: "db", isAbsent: true },
      { kind: "ConfigMap", name: "settings", isAbsent: true },
    ]);
  });

  it("are not requested if the pod is fine", async () => {
    answer(inProd("pods", "web-0"), withSpec(aFineRawPod({ kind: "ReplicaSet", name: "api" }, "web-0")));
    const { observation } = await observeWords(["web-0"]);
    expect(observation.pods[0]).not.toHaveProperty("config");
  });
});
