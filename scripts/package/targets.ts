/** The platform of an archive; `os` and `arch` are names of krew and Go. */
export interface Target {
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "amd64" | "arm64";
  /** Bun's name of the platform. npm names it `@oven/…`, with aarch64 instead of arm64. */
  readonly bun: string;
}

/** On x64, Bun needs a CPU with SSE4.2. */
export const TARGETS: readonly Target[] = [
  { os: "linux", arch: "amd64", bun: "bun-linux-x64" },
  { os: "linux", arch: "arm64", bun: "bun-linux-arm64" },
  { os: "darwin", arch: "amd64", bun: "bun-darwin-x64" },
  { os: "darwin", arch: "arm64", bun: "bun-darwin-arm64" },
  { os: "windows", arch: "amd64", bun: "bun-windows-x64" },
  { os: "windows", arch: "arm64", bun: "bun-windows-arm64" },
];

export function ownTarget(): Target | undefined {
  const os = process.platform === "win32" ? "windows" : process.platform;
  return TARGETS.find(
    (target) => target.os === os && target.arch === (process.arch === "x64" ? "amd64" : process.arch),
  );
}

export function archiveName({ os, arch }: Target, version: string): string {
  return `kubectl-backoff-v${version}-${os}-${arch}.${os === "windows" ? "zip" : "tar.gz"}`;
}

export function programName({ os }: Pick<Target, "os">): string {
  return os === "windows" ? "kubectl-backoff.exe" : "kubectl-backoff";
}
