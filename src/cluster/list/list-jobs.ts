import type { AskedJob } from "../../explain/observed/observation.ts";
import { pageBodies, pagesOf } from "../api/collection-pages.ts";
import { fetched } from "../api/fetched.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { cellsOf, TABLE_OR_OBJECTS } from "../objects/server-table.ts";
import { toAskedJob } from "../objects/workload.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import type { ListScope } from "./list-pages.ts";

const MOST_JOB_PAGES = 4;
const MOST_TABLE_PAGES = 10;
const MOST_JOBS_BY_NAME = 20;

/**
 * A field selector can only tell Jobs with succeeded pods from Jobs without (`JobToSelectableFields`, v1.37.1,
 * pkg/registry/batch/job/strategy.go). Of the Jobs with succeeded pods, a table is requested: its column STATUS shows
 * which of them failed. Old API servers do not have this column.
 */
export async function listUnsuccessfulJobs(
  connection: Connection,
  { namespace, labelSelector }: Pick<ListScope, "namespace" | "labelSelector">,
): Promise<readonly AskedJob[] | null> {
  const [on, path] = [bestEffort(connection), collectionPath("Job", namespace)];
  const queryOf = (fieldSelector: string) => ({ fieldSelector, ...(labelSelector !== undefined && { labelSelector }) });
  const jobsWith = async (fieldSelector: string): Promise<readonly AskedJob[]> => {
    const pages = await Array.fromAsync(pagesOf(on, path, queryOf(fieldSelector), MOST_JOB_PAGES));
    return pages.flat().map((raw) => toAskedJob(raw, 0));
  };
  const failedNames = async (): Promise<readonly string[]> => {
    const options = { accept: TABLE_OR_OBJECTS, query: { ...queryOf(SOME_SUCCESS), includeObject: "None" } };
    const tables = await Array.fromAsync(pageBodies(on, path, options, MOST_TABLE_PAGES));
    const rows = tables.flatMap((table) => cellsOf(table, ["Name", "Status"]) ?? []);
    return [...new Set(rows.flatMap(([name = "", status]) => (status === "Failed" ? [name] : [])))];
  };
  const failedJobs = async (): Promise<readonly AskedJob[]> => {
    const names = (await failedNames()).slice(0, MOST_JOBS_BY_NAME);
    // The table does not show namespaces. In a list of all namespaces, the program thus cannot know a Job's path.
    const jobs = names.map((name) => jobsWith(`${SOME_SUCCESS},metadata.name=${name}`));
    return (await Promise.all(jobs)).flat();
  };
  const { value } = await fetched(() => Promise.all([jobsWith("status.successful=0"), failedJobs()]));
  return value?.flat() ?? null;
}

const SOME_SUCCESS = "status.successful!=0";
