import type { AtBasis, Missing, OwnerMissing } from "../../explain/observed/observation.ts";
import { into, list, object, text, time, word } from "./declaration.ts";
import { KIND } from "./metadata.ts";

/** The API version of the object that a report holds about itself. */
export const REPORT_API_VERSION = "backoff/v1";

/** What a report says about itself, in an object of its own among the others. */
export interface ReportHeader {
  readonly atMs: number;
  /** A clock's moment is that of a recording now; the newest timestamp of a file proves as little as it did. */
  readonly atBasis: Extract<AtBasis, "recording" | "newest-input">;
  /** The pod that the report is about. Other pods are in it only because they have the same owner. */
  readonly pod: { readonly namespace: string; readonly name: string };
  /** What could not be read, and why: the objects alone do not tell. */
  readonly missing: readonly Missing[];
  readonly ownersMissing: readonly OwnerMissing[];
  /** The flags that the explanation depended on, as they are given. */
  readonly flags: readonly string[];
}

const WHY = word("forbidden", "not-found", "timeout", "unreachable", "not-asked", "not-in-input", "ambiguous");

/** The program only repeats these texts, so nothing but a flag is accepted. */
const FLAG = /^--[a-z-]{1,40}(=[\w.+-]{1,80})?$/;

/** A Report; null if it is of another version, or lacks the moment or the pod. */
const REPORT = into(
  object({
    apiVersion: word(REPORT_API_VERSION),
    at: time,
    atBasis: text(/^[a-z-]+$/),
    pod: object({ namespace: text("namespace"), name: text("name") }),
    missing: list(
      object({
        what: word("events", "node", "node-events", "node-config", "owner", "revisions", "owned-pods"),
        why: WHY,
        owner: object({ kind: text(KIND), name: text("name") }),
      }),
    ),
    flags: list(text(FLAG)),
  }),
  ({ apiVersion, at, atBasis, pod: { namespace, name }, missing, flags }): ReportHeader | null => {
    if (apiVersion === null || at === null || namespace === null || name === null) return null;
    return {
      atMs: at,
      atBasis: atBasis === "newest-input" ? atBasis : "recording",
      pod: { namespace, name },
      missing: missing.flatMap(({ what, why }) =>
        why === null || what === null || isOfOwners(what) ? [] : [{ what, why }],
      ),
      ownersMissing: missing.flatMap(({ what, why, owner: { kind, name: owner } }) =>
        what === null || why === null || !isOfOwners(what) || kind === null || owner === null
          ? []
          : [{ what, why, owner: { kind, name: owner } }],
      ),
      flags: flags.filter((flag) => FLAG.test(flag)).slice(0, 10),
    };
  },
);

function isOfOwners(what: Missing["what"] | OwnerMissing["what"]): what is OwnerMissing["what"] {
  return what === "owner" || what === "revisions" || what === "owned-pods";
}

/** Reads a Report object; null if it is of another version, or lacks the moment or the pod. */
export function toReportHeader(raw: unknown): ReportHeader | null {
  return REPORT.read(raw, []);
}
