import { toUserError } from "../../src/cluster/connection/request-failure.ts";
import { observeTargetsInFiles } from "../../src/cluster/files/target-input.ts";
import { observeList } from "../../src/cluster/list/list-observe.ts";
import type { TargetsObservation } from "../../src/cluster/pods/found-targets.ts";
import { observeTargets } from "../../src/cluster/pods/target-observe.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { etaOf } from "../../src/explain/eta/eta.ts";
import { etaPart } from "../../src/explain/eta/parts.ts";
import { explain } from "../../src/explain/explain.ts";
import { inGroups } from "../../src/explain/groups.ts";
import { joined, listed } from "../../src/explain/list.ts";
import { sorted } from "../../src/explain/list-order.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { ETA_FORMS, LIST_FORMS } from "../../src/render/forms.ts";
import { harmless } from "../../src/render/page/harmless.ts";
import type { RenderOptions } from "../../src/render/page/page.ts";
import { A_GROUPED_LOOK } from "../../test/support/list-items.ts";
import { loaded, RENDERERS } from "../../test/support/renderers.ts";
import { worldConnection } from "./connection.ts";
import { textOfJson } from "./nasty.ts";
import type { Json, WorldObjects } from "./world.ts";

const [LIST, ETA] = [await loaded(LIST_FORMS), await loaded(ETA_FORMS)];

export interface Told {
  readonly seen: TargetsObservation;
  readonly explanation: Explanation;
  readonly notes: readonly string[];
}

export function textOfWorld(objects: WorldObjects): string {
  const { table: _table, earlier, events, nodeEvents, owners, pod, node, configz } = objects;
  const items = [...listOf(earlier), pod, ...listOf(events), node, ...listOf(nodeEvents), configz, ...listOf(owners)];
  return textOfJson({ kind: "List", apiVersion: "v1", items: items.map((item) => item ?? null) });
}

/** A mutation may have replaced the list by anything. */
function listOf(value: readonly Json[] | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [value ?? null];
}

export async function toldOfBytes(bytes: string | Uint8Array, atMs: number): Promise<Told> {
  const notes: string[] = [];
  const seen = await observeTargetsInFiles({
    filenames: ["-"],
    stdin: new Blob([bytes]).stream(),
    localNowMs: atMs,
    atMs: null,
    onNote: (sentence) => notes.push(sentence),
    words: [],
    selector: undefined,
    allNamespaces: false,
  });
  return { ...told(seen), notes: [...notes, ...seen.notes] };
}

export async function toldOfCluster(objects: WorldObjects, name: string, atMs: number): Promise<Told> {
  const connection = worldConnection(objects, atMs);
  const request = {
    selector: undefined,
    allNamespaces: false,
    nodeConfig: "auto",
    localNowMs: atMs,
    atMs: null,
    logs: { tail: 10, isAsked: true, isPrevious: false },
  } as const;
  const seen = await observeTargets(connection, { ...request, words: [name] });
  return { ...told(seen), notes: seen.notes };
}

function told(seen: TargetsObservation): Omit<Told, "notes"> {
  return { seen, explanation: inGroups(explainWithOwners(seen.observation, {}), seen.selection) };
}

export async function listOfCluster(
  objects: WorldObjects,
  atMs: number,
  columns: number,
): Promise<Readonly<Record<string, string>>> {
  const connection = worldConnection(objects, atMs);
  const parts: ReturnType<typeof listed>[] = [];
  try {
    for await (const part of observeList(connection, { namespace: null }, { localNowMs: atMs }))
      parts.push(listed(part, explain(part, {})));
  } catch (error) {
    throw toUserError(error, connection);
  }
  const inOrder = sorted(joined({ atMs, atBasis: "server-clock" }, parts), "next");
  const look = { ...A_GROUPED_LOOK, columns };
  return {
    "list table": LIST.table(inOrder, look),
    "list wide": LIST.wide(inOrder, { ...look, isWide: true }),
    "list yaml": LIST.yaml(inOrder, look),
    "list json": LIST.json(inOrder, look),
    "list name": LIST.name(inOrder, look),
    "list notes": inOrder.gaps.map(({ message }) => harmless(message)).join("\n"),
  };
}

export function etaFormsOf(
  { observation }: TargetsObservation,
  options: RenderOptions,
  isThorough: boolean,
): Readonly<Record<string, string>> {
  const eta = etaOf(etaPart(observation, {}), observation);
  const cheap = { "eta json": ETA.json(eta, options) };
  if (!isThorough) return cheap;
  const pictures = { svg: ETA.svg(eta, options), html: ETA.html(eta, options) };
  const texts = { "eta table": ETA.table(eta, options), "eta md": ETA.md(eta, options) };
  return { ...cheap, ...pictures, ...texts };
}

export function formsOf(
  explanation: Explanation,
  options: RenderOptions,
  isThorough: boolean,
): Readonly<Record<string, string>> {
  const names = isThorough ? (Object.keys(RENDERERS) as (keyof typeof RENDERERS)[]) : (["json", "name"] as const);
  return Object.fromEntries(names.map((name) => [name, RENDERERS[name](explanation, options)]));
}
