import { existsSync } from "node:fs";

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: "x64", arm64: "aarch64" };

/** If npm runs install scripts, the script of the package `bun` moves the file to node_modules/bun/bin. */
export function bunFile(): string {
  const { platform, arch } = process;
  const os = platform === "win32" ? "windows" : platform;
  const file = `bun${platform === "win32" ? ".exe" : ""}`;
  const packaged = ["", "-musl"].map(
    (libc) => `node_modules/@oven/bun-${os}-${ARCHITECTURES[arch]}${libc}/bin/${file}`,
  );
  const found = [...packaged, "node_modules/bun/bin/bun.exe"].find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no Bun for ${platform} on ${arch}: npm ci installs it.`);
  return found;
}
