export const SIGKILL = 9;
export const SIGKILL_EXIT_CODE = 128 + SIGKILL;
export const SIGTERM_EXIT_CODE = 143;

/**
 * The exit code that containerd makes up, with the reason `Unknown`, e.g. if it has restarted and no longer finds a
 * container's task (`unknownExitCode`, containerd v2.1.4, internal/cri/server/helpers.go).
 */
export const LOST_EXIT_CODE = 255;

export function isLostByRuntime({ exitCode, reason }: { exitCode: number; reason: string | null }): boolean {
  return exitCode === LOST_EXIT_CODE && reason === "Unknown";
}

interface ExitRecord {
  readonly reason: string | null;
}

/** With this reason, the kubelet makes up the exit code and the message. Assumed: the container's log is gone, too. */
export function isStatusUnknown(exit: ExitRecord | null | undefined): boolean {
  return exit?.reason === "ContainerStatusUnknown";
}

/**
 * With this reason, the kubelet makes up an exit record because of RestartAllContainers
 * (`convertToAPIContainerStatuses`, pkg/kubelet/kubelet_pods.go, v1.37.1).
 */
export function isOfRestartAll(exit: ExitRecord | null | undefined): boolean {
  return exit?.reason === "RestartingAllContainers";
}

/**
 * Exit codes that a stop can cause, e.g. 0 of a service that handles SIGTERM, 2 of a Go program that runs as process 1
 * and does not handle SIGTERM, 130 of a program that gets SIGINT.
 */
export const STOP_EXIT_CODES: readonly number[] = [0, 2, 130, SIGKILL_EXIT_CODE, SIGTERM_EXIT_CODE, LOST_EXIT_CODE];

interface WindowsStatus {
  readonly name: string;
  readonly means: string;
  readonly isStop?: true;
}

/** Exit codes of Windows processes: NTSTATUS values ([MS-ERREF] 2.3.1), and .NET's own code. */
const WINDOWS_STATUSES: ReadonlyMap<number, WindowsStatus> = new Map([
  [
    0x40010004,
    { name: "DBG_TERMINATE_PROCESS", means: "Windows ended it as the container was shut down", isStop: true },
  ],
  [0xc0000005, { name: "STATUS_ACCESS_VIOLATION", means: "it used memory that is not its own" }],
  [0xc0000017, { name: "STATUS_NO_MEMORY", means: "it was out of memory" }],
  [0xc000001d, { name: "STATUS_ILLEGAL_INSTRUCTION", means: "it may be built for a newer CPU" }],
  [
    0xc000007b,
    { name: "STATUS_INVALID_IMAGE_FORMAT", means: "a program file or DLL is broken or for another platform" },
  ],
  [0xc0000094, { name: "STATUS_INTEGER_DIVIDE_BY_ZERO", means: "it divided by zero" }],
  [0xc00000fd, { name: "STATUS_STACK_OVERFLOW", means: "its stack overflowed" }],
  [0xc000012d, { name: "STATUS_COMMITMENT_LIMIT", means: "it was out of memory" }],
  [0xc0000135, { name: "STATUS_DLL_NOT_FOUND", means: "a DLL is missing from the image" }],
  [0xc0000139, { name: "STATUS_ENTRYPOINT_NOT_FOUND", means: "a DLL in the image has another version" }],
  [0xc000013a, { name: "STATUS_CONTROL_C_EXIT", means: "it was stopped by Ctrl+C or a shutdown", isStop: true }],
  [0xc0000142, { name: "STATUS_DLL_INIT_FAILED", means: "a DLL could not be initialized" }],
  [0xc0000374, { name: "STATUS_HEAP_CORRUPTION", means: "its heap was corrupted" }],
  [0xc0000409, { name: "STATUS_STACK_BUFFER_OVERRUN", means: "it aborted, or its stack was corrupted" }],
  [0xe0434352, { name: ".NET exception", means: "an exception was not handled; its log usually names it" }],
] satisfies [number, WindowsStatus][]);

export function windowsStatusOf(exitCode: number): WindowsStatus | null {
  const unsigned = exitCode >>> 0;
  const hex = `0x${unsigned.toString(16).toUpperCase()}`;
  const known = WINDOWS_STATUSES.get(unsigned);
  if (known !== undefined) return { ...known, name: `${hex}, ${known.name}` };
  // Microsoft's own NTSTATUS errors begin with 0xC ([MS-ERREF] 2.3).
  const isError = unsigned >= 0xc0000000 && unsigned < 0xd0000000;
  return isError ? { name: hex, means: "Windows ended it with this error" } : null;
}
