import { UserError } from "../../errors.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import type { InputObject } from "../input-objects.ts";
import type { InputPod } from "../input-pods.ts";
import { type ReportHeader, toReportHeader } from "./report-header.ts";

/** What the Report object of an input says, if it has one: then the input is explained as it was when the report was made. */
export class InputReport {
  readonly #header: ReportHeader | null;

  /** `onNote` is told what else the explanation depended on. Throws `UserError` severalReports: each has its own moment. */
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

  /** The pod that the report is about: the others are only there because of their owners. All, where it is not there. */
  podsOf(pods: readonly InputPod[]): readonly InputPod[] {
    const meant = pods.filter(({ pod }) => this.#isMeant(pod));
    return meant.length === 0 ? pods : meant;
  }

  /** The pod with what the report says could not be seen of it, or not be used, which its objects do not tell. */
  asReported(observed: PodObservation): PodObservation {
    if (this.#header === null || !this.#isMeant(observed.pod)) return observed;
    const { missing, ownersMissing } = this.#header;
    const { owners } = observed;
    const unusable = [...this.#header.unusable, ...(observed.pod.unusable ?? [])];
    const pod = unusable.length === 0 ? observed.pod : { ...observed.pod, unusable };
    return {
      ...observed,
      pod,
      missing,
      ...(owners !== undefined && { owners: { ...owners, missing: ownersMissing } }),
    };
  }

  #isMeant({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
    const pod = this.#header?.pod;
    return pod?.namespace === namespace && pod.name === name;
  }
}
