import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type PackedFile, readTar, tar } from "../../scripts/package/tar.ts";
import { zip } from "../../scripts/package/zip.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";

const FILES: readonly PackedFile[] = [
  { name: "kubectl-backoff", bytes: Buffer.from("#!/bin/sh\n".repeat(100)), isExecutable: true },
  { name: "LICENSE", bytes: Buffer.from("free"), isExecutable: false },
  { name: "empty", bytes: Buffer.alloc(0), isExecutable: false },
];
const BYTES = new Map(FILES.map(({ name, bytes }) => [name, bytes]));

describe("tar()", () => {
  it("makes what readTar() reads", () => {
    expect(readTar(tar(FILES))).toEqual(BYTES);
  });

  it("makes what tar unpacks, with the right to be run", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "archive.tar"), tar(FILES));
    execFileSync("tar", ["-xf", "archive.tar"], { cwd: folder });
    for (const { name, bytes, isExecutable } of FILES) {
      expect(readFileSync(join(folder, name))).toEqual(bytes);
      if (process.platform !== "win32")
        expect(statSync(join(folder, name)).mode & 0o111).toBe(isExecutable ? 0o111 : 0);
    }
  });
});

describe("zip()", () => {
  const archive = zip(FILES);

  it("ends with a directory that leads to every file", () => {
    const end = archive.length - 22;
    expect(archive.readUInt32LE(end)).toBe(0x06054b50);
    expect(archive.readUInt16LE(end + 10)).toBe(FILES.length);
    let entry = archive.readUInt32LE(end + 16);
    const found = new Map<string, Buffer>();
    for (let index = 0; index < FILES.length; index++) {
      expect(archive.readUInt32LE(entry)).toBe(0x02014b50);
      const [packed, length] = [archive.readUInt32LE(entry + 20), archive.readUInt16LE(entry + 28)];
      const local = archive.readUInt32LE(entry + 42);
      expect(archive.readUInt32LE(local)).toBe(0x04034b50);
      // The fields that both have are the same.
      expect(archive.subarray(local + 4, local + 28)).toEqual(archive.subarray(entry + 6, entry + 30));
      const data = local + 30 + length;
      const name = archive.toString("utf8", entry + 46, entry + 46 + length);
      found.set(name, inflateRawSync(archive.subarray(data, data + packed)));
      expect(archive.readUInt32LE(entry + 38) >>> 16).toBe(name === "kubectl-backoff" ? 0o100755 : 0o100644);
      entry += 46 + length;
    }
    expect(entry).toBe(end);
    expect(found).toEqual(BYTES);
  });
});
