import type { AtBasis, Missing, OwnerMissing } from "../../explain/observed/observation.ts";
import { list, mapped, object, text, time, word } from "./declaration.ts";

export const REPORT_API_VERSION = "backoff/v1";

export type ReportHeader = NonNullable<ReturnType<typeof REPORT.read>>;

const WHY = word("forbidden", "not-found", "timeout", "unreachable", "not-asked", "not-in-input", "ambiguous");

/** A report may come from a stranger, so the program uses only flags of this form. */
const FLAG = /^--[a-z-]{1,40}(=[\w.+-]{1,80})?$/;

const REPORT = mapped(
  object({
    apiVersion: word(REPORT_API_VERSION),
    at: time,
    atBasis: text,
    pod: object({ namespace: text, name: text }),
    missing: list(
      object({
        what: word("events", "node", "node-events", "node-config", "owner", "revisions", "owned-pods"),
        why: WHY,
        owner: object({ kind: text, name: text }),
      }),
    ),
    flags: list(text),
  }),
  ({ apiVersion, at, atBasis, pod: { namespace, name }, missing, flags }) => {
    if (apiVersion === null || at === null || namespace === null || name === null) return null;
    return {
      atMs: at,
      // An instant from `--at` or from a clock has the basis "recording" when a report is read.
      atBasis: (atBasis === "newest-input" ? "newest-input" : "recording") as AtBasis,
      /** The pod that the report is about. The report can contain other pods, too. */
      pod: { namespace, name },
      missing: missing.flatMap(({ what, why }): Missing[] =>
        why === null || what === null || isOfOwners(what) ? [] : [{ what, why }],
      ),
      ownersMissing: missing.flatMap(({ what, why, owner: { kind, name: owner } }): OwnerMissing[] =>
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

export function toReportHeader(raw: unknown): ReportHeader | null {
  return REPORT.read(raw, []);
}
