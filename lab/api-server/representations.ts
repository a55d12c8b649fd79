import type { Collection, Stored } from "./collection.ts";
import type { Raw } from "./container-statuses.ts";
import { JOB_COLUMNS, jobCells } from "./job-columns.ts";
import { NAME_COLUMN, NODE_COLUMNS, nodeCells } from "./node-columns.ts";
import { POD_COLUMNS, podCells } from "./pod-columns.ts";

type Representation = "objects" | "table" | "metadata";

function representationOf(accept: string): Representation {
  for (const type of accept.split(",")) {
    if (/as=Table/.test(type) && /v=v1(;|$)/.test(type.trim())) return "table";
    if (/as=PartialObjectMetadata(List)?(;|$)/.test(type.trim())) return "metadata";
    if (!/as=/.test(type)) return "objects";
  }
  return "objects";
}

interface ListParts {
  readonly collection: Collection;
  readonly objects: readonly Stored[];
  readonly metadata: Raw;
  readonly accept: string;
  readonly query: URLSearchParams;
  readonly nowMs: number;
}

export function* listText(parts: ListParts): Generator<string> {
  const { collection, objects, metadata, accept } = parts;
  const { head, list, write } = FORMS[representationOf(accept)];
  yield `${JSON.stringify(head(collection.kind, metadata)).slice(0, -1)},"${list}":[`;
  for (const [index, stored] of objects.entries())
    yield `${index > 0 ? "," : ""}${JSON.stringify(write(stored, parts))}`;
  yield "]}";
}

interface Form {
  head(kind: string, metadata: Raw): Raw;
  readonly list: "items" | "rows";
  write(stored: Stored, parts: ListParts): unknown;
}

const FORMS: Readonly<Record<Representation, Form>> = {
  objects: {
    head: (kind, metadata) => ({ kind: `${kind}List`, apiVersion: "v1", metadata }),
    list: "items",
    write: (stored) => {
      const { kind: _kind, apiVersion: _apiVersion, ...rest } = stored.raw();
      return rest;
    },
  },
  metadata: {
    head: (_, metadata) => ({ kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata }),
    list: "items",
    write: (stored) => partial(stored.raw()),
  },
  table: {
    head: (kind, metadata) => {
      const { columns: columnDefinitions } = tableOf(kind);
      return { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata, columnDefinitions };
    },
    list: "rows",
    write: (stored, { collection: { kind }, query, nowMs }) => {
      const raw = stored.raw();
      const object = OBJECTS[query.get("includeObject") ?? "Metadata"] ?? partial;
      return { cells: tableOf(kind).cells(raw, nowMs), object: object(raw, kind) };
    },
  },
};

const OBJECTS: Readonly<Record<string, (raw: Raw, kind: string) => unknown>> = {
  None: () => null,
  Metadata: partial,
  Object: (raw, kind) => ({ kind, apiVersion: "v1", ...raw }),
};

function partial({ metadata }: Raw): Raw {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}

interface TableForm {
  readonly columns: readonly Raw[];
  cells(raw: Raw, nowMs: number): string[];
}

const TABLES: Readonly<Record<string, TableForm>> = {
  Pod: { columns: POD_COLUMNS, cells: podCells },
  Node: { columns: NODE_COLUMNS, cells: nodeCells },
  Job: { columns: JOB_COLUMNS, cells: jobCells },
};

const NAMES_ONLY: TableForm = {
  columns: [NAME_COLUMN],
  cells: ({ metadata }) => [(metadata as { name: string }).name],
};

function tableOf(kind: string): TableForm {
  return TABLES[kind] ?? NAMES_ONLY;
}
