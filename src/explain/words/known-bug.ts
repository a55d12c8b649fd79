import type { Evidence, KnownBug } from "../answer/explanation.ts";
import type { Prediction } from "../prediction/prediction.ts";

export function explainedBug({ bug: found, observed }: Prediction): KnownBug | null {
  if (found === null) return null;
  const { bug, version, fix } = found;
  const { owner } = observed.pod;
  const newPod =
    owner === null ? "Delete the pod and create it again" : `Delete the pod (its ${owner.kind} makes another one)`;
  const [issue] = bug.source.split(", ");
  const wayOut = bug.wayOut ?? newPod;
  return {
    sentence: `Probably a bug of kubelet ${version} (${issue}): ${bug.does}. ${wayOut}, or upgrade the kubelet to ${fix}.`,
    fix,
    isCuredByNewPod: bug.wayOut === null,
  };
}

export function bugEvidence({ bug: found }: Prediction): Evidence[] {
  if (found === null) return [];
  const { bug, version, fix } = found;
  return [{ basis: "inferred", rule: bug.code, text: `a bug of kubelet ${version}, fixed in ${fix} (${bug.source})` }];
}
