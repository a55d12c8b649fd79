import type { NextStep } from "../answer/explanation.ts";
import { onlyTriggerOf } from "../history/restart-rules.ts";
import type { Subject } from "./pod-commands.ts";

/** The folder that a kubelet serves at /logs (`InstallSystemLogHandler`, pkg/kubelet/server/server.go, v1.37.1). */
const SERVED_DIR = "/var/log/";
/** `DefaultPodLogsDir` (pkg/kubelet/apis/config/v1beta1/defaults.go, v1.37.1). */
const POD_LOGS_DIR = "/var/log/pods";

/**
 * Returns the request for the log of a run that RestartAllContainers removed, through the node's kubelet; nothing if
 * there is no such run, or if the kubelet does not serve its log.
 */
export function removedLogSteps({ pod, observed, container, commands }: Subject): NextStep[] {
  const { podLogsDir = POD_LOGS_DIR, servesLogs = true } = observed.kubeletConfig ?? {};
  const trigger = onlyTriggerOf(observed.pod);
  const { lastExit = null, name = "" } = pod.containers.find((one) => one.name === trigger?.name) ?? container ?? {};
  const { namespace, name: podName, uid, node } = pod;
  if (lastExit?.removedRun === undefined || uid === null || node === null) return [];
  if (!servesLogs || !podLogsDir.startsWith(SERVED_DIR)) return [];
  const folder = `${podLogsDir.slice(SERVED_DIR.length)}/${namespace}_${podName}_${uid}/${name}`;
  const path = `/api/v1/nodes/${node}/proxy/logs/${folder}/${lastExit.removedRun}.log`;
  return [commands.raw("read the crash", path, "the log is on the node only; needs get on nodes/proxy")];
}
