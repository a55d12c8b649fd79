import type { AtBasis, Missing, OwnerMissing } from "../../explain/observed/observation.ts";
import { instantOf } from "../timestamp.ts";
import { at, objectsOf, oneOf, textOf } from "../untrusted.ts";

/** What a report says of itself, in an object of its own among the others. */
export interface ReportHeader {
  /** The moment that was explained. */
  readonly atMs: number;
  /** The pod that the report is about: the others are only there because it has owners. */
  readonly pod: { readonly namespace: string; readonly name: string };
  /** What could not be seen, and why: the objects alone do not tell. */
  readonly missing: readonly Missing[];
  readonly ownersMissing: readonly OwnerMissing[];
  /** What was there and could not be used, each after whose it is: the objects hold only what could be. */
  readonly unusable: readonly string[];
  /** The flags that the explanation depended on, as they are given. */
  readonly flags: readonly string[];
}

/** Who wrote a report, for whoever reads it. */
export interface ReportOrigin {
  /** The program's version. */
  readonly program: string;
  /** The kubelets that its model is for. */
  readonly model: string;
  /** Where the moment was from. */
  readonly atBasis: AtBasis;
}

const API_VERSION = "backoff/v1";

/** The object that says it. */
export function headerObject(header: ReportHeader, { program, model, atBasis }: ReportOrigin): object {
  const { atMs, pod, missing, ownersMissing, unusable, flags } = header;
  return {
    apiVersion: API_VERSION,
    kind: "Report",
    metadata: { name: "report" },
    program,
    model,
    at: new Date(atMs).toISOString(),
    atBasis,
    flags,
    pod,
    missing: [...missing, ...ownersMissing],
    ...(unusable.length > 0 && { unusable }),
  };
}

const WHATS = ["events", "node", "node-events", "node-config"] as const satisfies readonly Missing["what"][];
const OWNER_WHATS = ["owner", "revisions", "owned-pods"] as const satisfies readonly OwnerMissing["what"][];
const WHYS = [
  ...(["forbidden", "not-found", "timeout", "unreachable", "not-asked", "not-in-input", "ambiguous"] as const),
] satisfies readonly Missing["why"][];

/** What a Report object says; null if it is of another version, or does not say what it has to. */
export function toReportHeader(raw: unknown): ReportHeader | null {
  const atMs = instantOf(at(raw, "at"));
  const namespace = textOf(at(raw, "pod", "namespace"));
  const name = textOf(at(raw, "pod", "name"));
  if (at(raw, "apiVersion") !== API_VERSION || atMs === null || namespace === null || name === null) return null;
  const missing = objectsOf(at(raw, "missing"));
  return {
    atMs,
    pod: { namespace, name },
    missing: missing.flatMap(missingOf),
    ownersMissing: missing.flatMap(ownerMissingOf),
    unusable: textsIn(at(raw, "unusable")),
    flags: flagsIn(at(raw, "flags")),
  };
}

function missingOf(raw: unknown): Missing[] {
  const what = oneOf(at(raw, "what"), WHATS);
  const why = oneOf(at(raw, "why"), WHYS);
  return what === null || why === null ? [] : [{ what, why }];
}

function ownerMissingOf(raw: unknown): OwnerMissing[] {
  const what = oneOf(at(raw, "what"), OWNER_WHATS);
  const why = oneOf(at(raw, "why"), WHYS);
  const kind = textOf(at(raw, "owner", "kind"));
  const name = textOf(at(raw, "owner", "name"));
  return what === null || why === null || kind === null || name === null ? [] : [{ what, why, owner: { kind, name } }];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}

/** They are only told: nothing else than a flag may look like one. */
function flagsIn(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.map(String) : [];
  return texts.filter((text) => /^--[a-z-]{1,40}(=[\w.+-]{1,80})?$/.test(text)).slice(0, 10);
}
