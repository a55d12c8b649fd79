import { UserError } from "../../errors.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import { type ReportHeader, toReportHeader } from "../objects/report-header.ts";
import type { InputObject } from "./input-objects.ts";
import type { InputPod } from "./input-pods.ts";

/** The Report object of an input, if the input has one. The input is then explained as it was when the report was made. */
export class InputReport {
  readonly #header: ReportHeader | null;

  /** Tells `onNote` which flags the explanation depended on. Throws `UserError` severalReports: each report has its own moment. */
  constructor(objects: readonly InputObject[], onNote: (sentence: string) => void) {
    const headers = objects.flatMap(({ raw }) => toReportHeader(raw) ?? []);
    if (headers.length > 1) throw new UserError("severalReports", headers.length);
    this.#header = headers[0] ?? null;
    const flags = this.#header?.flags ?? [];
    if (flags.length > 0) onNote(`The report was made with ${flags.join(" ")}: pass that to explain it the same way.`);
  }

  /** The moment that was explained, if it `isWanted`; null where there is no report. */
  momentIf(isWanted: boolean): Pick<Observation, "atMs" | "atBasis"> | null {
    return this.#header === null || !isWanted ? null : { atMs: this.#header.atMs, atBasis: "recording" };
  }

  /** The pod that the report is about, because the other pods are in it only for their owner. All pods if it is not among them. */
  podsOf(pods: readonly InputPod[]): readonly InputPod[] {
    const meant = pods.filter(({ pod }) => this.#isMeant(pod));
    return meant.length === 0 ? pods : meant;
  }

  /** The pod with the requests that failed when the report was made, which the objects in it do not tell. */
  asReported(observed: PodObservation): PodObservation {
    if (this.#header === null || !this.#isMeant(observed.pod)) return observed;
    const { missing, ownersMissing } = this.#header;
    const { owners } = observed;
    return {
      ...observed,
      missing,
      ...(owners !== undefined && { owners: { ...owners, missing: ownersMissing } }),
    };
  }

  #isMeant({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
    const pod = this.#header?.pod;
    return pod?.namespace === namespace && pod.name === name;
  }
}
