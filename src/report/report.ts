import { nameOf } from "../cluster/objects/owner-reference.ts";
import { REPORT_API_VERSION } from "../cluster/objects/report-header.ts";
import type { Observation, PodObservation } from "../explain/observed/observation.ts";
import { redactedCopies } from "./redacted-copies.ts";

export interface ReportRequest {
  readonly program: string;
  readonly model: string;
  readonly flags: readonly string[];
}

/**
 * Returns a List as JSON, from which `explain -f` can explain the pod again. The objects are redacted, and there are no
 * logs.
 */
export function reportOf(
  { pod: { namespace, name }, missing, objects = [], owners }: PodObservation,
  { atMs, atBasis }: Pick<Observation, "atMs" | "atBasis">,
  request: ReportRequest,
): string {
  const around = (owners?.objects ?? []).filter(({ kind, raw }) => kind !== "Pod" || nameOf(raw) !== name);
  const header = {
    apiVersion: REPORT_API_VERSION,
    kind: "Report",
    metadata: { name: "report" },
    pod: { namespace, name },
    missing: [...missing, ...(owners?.missing ?? [])],
    ...request,
    at: new Date(atMs).toISOString(),
    atBasis,
  };
  const items = [header, ...redactedCopies([...objects, ...around], name)];
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2)}\n`;
}
