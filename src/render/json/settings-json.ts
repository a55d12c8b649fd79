import type { ContainerExplanation } from "../../explain/answer/explanation.ts";
import type { Probe } from "../../explain/observed/observation.ts";
import { bytesIn } from "../../kubelet/quantity.ts";
import { seconds } from "./json-values.ts";

/** `probes` is null if the pod's spec does not list the container. */
export function settingsToJson({ settings, isReady }: ContainerExplanation) {
  const limit = settings?.memoryLimit ?? null;
  return {
    isReady,
    memoryLimitBytes: limit === null ? null : bytesIn(limit),
    probes:
      settings === undefined
        ? null
        : {
            startup: probeToJson(settings.startupProbe),
            liveness: probeToJson(settings.livenessProbe),
            readiness: probeToJson(settings.readinessProbe),
          },
  };
}

function probeToJson(probe: Probe | null) {
  if (probe === null) return null;
  const { request = null, initialDelayMs, periodMs, timeoutMs, failureThreshold } = probe;
  return {
    request,
    initialDelaySeconds: seconds(initialDelayMs),
    periodSeconds: seconds(periodMs),
    timeoutSeconds: seconds(timeoutMs),
    failureThreshold,
  };
}
