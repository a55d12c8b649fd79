import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { readExample } from "../../src/cluster/files/example-files.ts";
import type { Example } from "../../src/cluster/files/examples.ts";
import { at, objectsOf, textOf } from "../../src/cluster/objects/untrusted.ts";

const TLS = new URL("../../test/fixtures/tls/", import.meta.url);

type Raw = Readonly<Record<string, unknown>>;

/** Answers kubectl and this program from one recording, like an API server. */
export interface RecordedServer {
  readonly namespace: string;
  readonly pod: string;
  /** A kubeconfig as JSON; the pod's namespace is the current one. */
  readonly kubeconfig: string;
  close(): void;
}

/** Listens on a free port of 127.0.0.1 with TLS; its clock stands still at the example's moment. */
export async function startRecordedServer(example: Example): Promise<RecordedServer> {
  const objects = objectsOf(at(JSON.parse(readExample(example.file)), "items"));
  const certificate = readFileSync(new URL("cert.pem", TLS));
  const options = { cert: certificate, key: readFileSync(new URL("key.pem", TLS)) };
  const server = createServer(options, (request, response) => {
    const answer = answerTo(new URL(request.url ?? "/", "https://localhost"), objects);
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader("Date", new Date(example.atMs).toUTCString());
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(answer ?? { kind: "Status", apiVersion: "v1", status: "Failure", code: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pod = objects.find(({ kind }) => kind === "Pod");
  const namespace = textOf(at(pod, "metadata", "namespace")) ?? "default";
  return {
    namespace,
    pod: textOf(at(pod, "metadata", "name")) ?? "",
    kubeconfig: kubeconfigFor(address, certificate.toString("base64"), namespace),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function kubeconfigFor(server: string, certificate: string, namespace: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "recorded", cluster: { server, "certificate-authority-data": certificate } }],
    users: [{ name: "anyone", user: { token: "any" } }],
    contexts: [{ name: "recorded", context: { cluster: "recorded", user: "anyone", namespace } }],
    "current-context": "recorded",
  });
}

/** kubectl requests these paths before any other. */
const DISCOVERY: Readonly<Record<string, object>> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [] },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: [
      { name: "pods", singularName: "pod", namespaced: true, kind: "Pod", verbs: ["get", "list"], shortNames: ["po"] },
      { name: "events", singularName: "event", namespaced: true, kind: "Event", verbs: ["get", "list"] },
    ],
  },
};

function answerTo({ pathname, searchParams }: URL, objects: readonly Raw[]): object | undefined {
  const named = (kind: string, name: string | undefined) =>
    objects.find((object) => object["kind"] === kind && at(object, "metadata", "name") === name);
  const parts = pathname.split("/");
  if (pathname.endsWith("/configz")) return objects.find((object) => "kubeletconfig" in object);
  if (pathname.endsWith("/events")) return eventsFor(searchParams.get("fieldSelector") ?? "", objects);
  if (/\/(pods|nodes)$/.test(pathname)) return listOf(pathname.endsWith("/pods") ? "Pod" : "Node", objects);
  if (pathname.startsWith("/api/v1/nodes/")) return named("Node", parts[4]);
  if (/^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+$/.test(pathname)) return named("Pod", parts[6]);
  return DISCOVERY[pathname];
}

function listOf(kind: string, objects: readonly Raw[]): object {
  const metadata = { resourceVersion: "1" };
  return {
    kind: `${kind}List`,
    apiVersion: "v1",
    metadata,
    items: objects.filter((object) => object["kind"] === kind),
  };
}

function eventsFor(fieldSelector: string, objects: readonly Raw[]): object {
  const wanted = fieldSelector.split(",").map((term) => term.split("=") as [string, string]);
  const isMeant = (event: Raw) => wanted.every(([path, value]) => at(event, ...path.split(".")) === value);
  const items = objects.filter((object) => object["kind"] === "Event" && isMeant(object));
  return { kind: "EventList", apiVersion: "v1", metadata: {}, items };
}
