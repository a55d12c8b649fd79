import type { EtaJob } from "../answer/eta.ts";
import { leastOf } from "../observed/max-min.ts";
import type { Observation } from "../observed/observation.ts";
import { nextJobPod } from "./owner-job.ts";

export function jobsBetweenPods({ pods }: Pick<Observation, "pods">): EtaJob[] {
  const found = pods.flatMap(({ pod, owners }) => {
    const job = owners?.workload;
    if (owners === undefined || job?.kind !== "Job") return [];
    const own = owners.pods.find(({ name }) => name === pod.name);
    const next = nextJobPod(job, owners.pods, own);
    return next === null ? [] : [{ namespace: pod.namespace, name: job.name, atMs: next.atMs }];
  });
  const jobs = Map.groupBy(found, ({ namespace, name }) => `${namespace}/${name}`);
  return [...jobs.values()]
    .flatMap(([first, ...others]) =>
      first === undefined ? [] : [{ ...first, atMs: leastOf([first, ...others].map(({ atMs }) => atMs)) }],
    )
    .sort((a, b) => a.atMs - b.atMs);
}
