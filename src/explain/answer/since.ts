import { ageIn } from "./excerpt.ts";
import { joinedWords, type Prose, prose } from "./prose.ts";
import { changesInWords, type SettingChange, type ShownValues } from "./setting-change.ts";

/** How a pod's failures relate to the revisions of its workload. */
export interface Since {
  readonly kind: "with" | "perhaps" | "earlier" | "restart" | "rollback" | "healthy-peers";
  readonly revision: number | null;
  readonly name: string;
  readonly comparedRevision: number | null;
  readonly atMs: number | null;
  readonly settings: readonly SettingChange[];
  /** With "perhaps": whether one of `settings` seems to explain the failure, e.g. a memory limit after an OOM kill. */
  readonly isTelling: boolean;
  readonly isContainerNamed: boolean;
  readonly hasCrashed: boolean;
  readonly healthy: readonly string[];
  readonly isOtherImage: boolean;
}

const MOST_NAMES = 3;

/** Returns e.g. "13:43:00 (3m ago), with revision 2: env DB_HOST: db → dbx; revision 1 does not crash". */
export function sinceInWords(since: Since, nowMs: number, shown: ShownValues): Prose {
  const { kind, comparedRevision, settings, isContainerNamed, hasCrashed } = since;
  const revision = since.revision ?? since.name;
  const when = since.atMs === null ? "" : prose`${{ atMs: since.atMs }} (${ageIn(nowMs - since.atMs)} ago), `;
  const what = settings.length === 0 ? "" : `: ${changesInWords(settings, isContainerNamed, shown)}`;
  const older = `revision ${comparedRevision}`;
  switch (kind) {
    case "with":
      return prose`${when}with revision ${revision}${what}; ${older} ${hasCrashed ? "does not crash" : "is running"}`;
    case "perhaps":
      return prose`${since.isTelling ? "probably" : "perhaps"} ${when}with revision ${revision}${what}; no pod of ${older} is left to compare`;
    case "earlier":
      return `before revision ${revision}: pods of ${older} crash too`;
    case "restart":
      return prose`${when}with revision ${revision}, a restart: the template is unchanged; look at what it reads`;
    case "rollback":
      return prose`${when}with revision ${revision}, a rollback from ${older} to an earlier template, which may have failed before`;
    case "healthy-peers": {
      const { isOtherImage } = since;
      const same = `the same revision (${revision})${isOtherImage ? ", but another image of the same tag," : ""}`;
      const where = isOtherImage ? "that image" : "this pod's data or node";
      const [run, are] = since.healthy.length === 1 ? ["runs", "is"] : ["run", "are"];
      return `${joinedWords(since.healthy, "and", MOST_NAMES)} ${run} ${same} and ${are} healthy; look at ${where}`;
    }
  }
}
