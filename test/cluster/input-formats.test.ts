import { gzipSync } from "node:zlib";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import {
  folderOf,
  ndjson,
  observeInput,
  observePaths,
  rawConfigz,
  rawEvent,
  rawNode,
  rawPod,
} from "../support/input.ts";

const OBJECTS = [rawPod(), rawEvent(), rawNode(), rawConfigz()];
const WITHOUT_KIND = OBJECTS.map((object) => ({ ...object, kind: undefined, apiVersion: undefined }));
const [POD, EVENT, NODE, CONFIGZ] = OBJECTS as [object, object, object, object];

function pretty(objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object, null, 4)).join("\n");
}

function listOf(kind: string, items: readonly unknown[]): object {
  return { apiVersion: "v1", kind, metadata: { resourceVersion: "9" }, items };
}

function listsOf([pod, event, node]: readonly object[]): string {
  return ndjson([listOf("PodList", [pod]), listOf("EventList", [event]), listOf("NodeList", [node]), CONFIGZ]);
}

function recorded([pod, event]: readonly object[]): string {
  const line = { at: "2026-11-21T11:59:59.5Z", type: "ADDED" };
  return ndjson([{ ...line, kind: "Pod", object: pod }, { ...line, kind: "Event", object: event }, NODE, CONFIGZ]);
}

const REST = [EVENT, NODE, CONFIGZ].map((object) => JSON.stringify(object));
const YAML = OBJECTS.map((object) => `---\n${dump(object)}`).join("");

const dumpedLog = (container: string, text: string) =>
  `==== START logs for container ${container} of pod prod/web ====\n${text}==== END logs for container ${container} of pod prod/web ====\n`;

/** `kubectl cluster-info dump` prints logs between lists of objects. A log can contain anything. */
const CLUSTER_DUMP = [
  listsOf(OBJECTS),
  dumpedLog("app", '{"level": "error", "msg": "}"}\n---\n==== END logs for container other of pod prod/web ====\n[\n'),
  dumpedLog("sidecar", ""),
  pretty([listOf("ServiceList", [])]),
].join("\n");

const FORMATS: Readonly<Record<string, string | Uint8Array>> = {
  "a List": JSON.stringify(listOf("List", OBJECTS)),
  "a List in a List": JSON.stringify(listOf("List", [listOf("List", [POD, EVENT]), listOf("List", [NODE, CONFIGZ])])),
  "lists of one kind": listsOf(OBJECTS),
  "lists whose items do not say their kind, as from the API": listsOf(WITHOUT_KIND),
  "an array": JSON.stringify(OBJECTS),
  NDJSON: ndjson(OBJECTS),
  "NDJSON with CRLF": ndjson(OBJECTS).replaceAll("\n", "\r\n"),
  "pretty-printed objects one after another": pretty(OBJECTS),
  "objects without anything between them": OBJECTS.map((object) => JSON.stringify(object)).join(""),
  "kubectl cluster-info dump": CLUSTER_DUMP,
  "kubectl cluster-info dump with CRLF": CLUSTER_DUMP.replaceAll("\n", "\r\n"),
  "kubectl cluster-info dump that ends within a log": CLUSTER_DUMP.slice(0, CLUSTER_DUMP.indexOf("[\n") + 2),
  "watch events": ndjson(OBJECTS.map((object) => ({ type: "MODIFIED", object }))),
  "watch events with a bookmark": ndjson([
    { type: "ADDED", object: listOf("List", OBJECTS) },
    { type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "999" } } },
  ]),
  "recorded lines": recorded(OBJECTS),
  "recorded lines whose objects do not say their kind": recorded(WITHOUT_KIND),
  "YAML documents": YAML,
  "YAML documents without a first ---, some of them empty": `${OBJECTS.map((object) => dump(object)).join("---\n---\n")}---\n`,
  "YAML with a List": dump(listOf("List", OBJECTS)),
  "YAML documents with CRLF": YAML.replaceAll("\n", "\r\n"),
  "JSON documents that --- separates": OBJECTS.map((object) => JSON.stringify(object, null, 2)).join("\n---\n"),
  "YAML with anchors": `kind: List\napiVersion: v1\nitems: [&pod ${JSON.stringify(POD)}, *pod, ${REST.join()}]\n`,
  "UTF-8 with a byte order mark": `\ufeff${ndjson(OBJECTS)}`,
  "UTF-16, as of Windows PowerShell": Buffer.from(`\ufeff${ndjson(OBJECTS)}`, "utf16le"),
  gzip: gzipSync(ndjson(OBJECTS)),
  "gzip of YAML": gzipSync(YAML),
  "two gzips one after the other": Buffer.concat([gzipSync(ndjson([POD, EVENT])), gzipSync(ndjson([NODE, CONFIGZ]))]),
};

/** In some formats each object has a kind, in others only the list has one. */
function withoutObjects({ objects: _, ...observed }: PodObservation): PodObservation {
  return observed;
}

describe("observeFiles() reads", () => {
  it.each(Object.entries(FORMATS))("%s", async (_name, content) => {
    const { observation: expected } = await observeInput(OBJECTS);
    const fromStdin = await observeInput(content);
    expect(fromStdin.observation.pods.map(withoutObjects)).toEqual(expected.pods.map(withoutObjects));
    expect(fromStdin.skipped).toEqual([]);
    const fromFile = await observePaths([`${folderOf({ "input.json.gz": content })}`]);
    expect(fromFile.observation.pods.map(withoutObjects)).toEqual(expected.pods.map(withoutObjects));
  });

  it("text of any language, and strings that look like the end of an object", async () => {
    const message = 'Größe überschritten 漢字 🎉 } ] \\" {';
    const { observation } = await observeInput(pretty([rawPod({ status: { message } }), EVENT]));
    expect(observation.pods[0]?.pod.message).toBe(message);
  });

  it("what a watch has written so far, without the object that it is still writing", async () => {
    const { observation, skipped } = await observeInput(pretty(OBJECTS).slice(0, -40));
    expect(observation.pods).toHaveLength(1);
    expect(skipped).toEqual(["Left out the last object in standard input: it is cut off."]);
  });

  it("a plain KubeletConfiguration file", async () => {
    const config = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nsyncFrequency: 90s\n";
    const { observation } = await observeInput(`${JSON.stringify(POD)}\n---\n${config}`);
    expect(observation.pods[0]?.kubeletConfig).toMatchObject({ syncFrequencyMs: 90_000 });
  });

  it("events of events.k8s.io/v1", async () => {
    const { involvedObject, message, ...rest } = EVENT as { involvedObject: object; message: string };
    const event = { ...rest, apiVersion: "events.k8s.io/v1", regarding: involvedObject, note: message };
    const { observation } = await observeInput([POD, event]);
    expect(observation.pods[0]?.events).toMatchObject([{ reason: "BackOff", message, container: "app" }]);
  });
});
