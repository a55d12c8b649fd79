import type { AskedJob } from "../../explain/observed/observation.ts";
import { pagesOf } from "../api/collection-pages.ts";
import { fetched } from "../api/fetched.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { toAskedJob } from "../objects/workload.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import type { ListScope } from "./list-pages.ts";

/**
 * The maximum number of pages of 500 Jobs. The program reads only Jobs without a success, which are few in most
 * clusters.
 */
const MOST_PAGES = 4;

/**
 * Reads the Jobs that have no succeeded pod, up to `MOST_PAGES` pages. The API server can select no more exactly, so a
 * Job that failed after some of its completions is not among them. Null if a request fails.
 */
export async function listUnsuccessfulJobs(
  connection: Connection,
  { namespace, labelSelector }: Pick<ListScope, "namespace" | "labelSelector">,
): Promise<readonly AskedJob[] | null> {
  const query = { fieldSelector: "status.successful=0", ...(labelSelector !== undefined && { labelSelector }) };
  const { value } = await fetched(async () => {
    const jobs: AskedJob[] = [];
    const pages = pagesOf(bestEffort(connection), collectionPath("Job", namespace), query, MOST_PAGES);
    for await (const page of pages) jobs.push(...page.map((raw) => toAskedJob(raw, 0)));
    return jobs;
  });
  return value;
}
