import { describe, expect, it } from "vitest";
import { executableKind, requireKind } from "../../scripts/package/executable-kind.ts";

const HEADER = 0x80;
const CERTIFICATES = HEADER + 24 + 112 + 4 * 8;

function elf(machine: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(0x7f454c46, 0);
  bytes.writeUInt16LE(machine, 18);
  return bytes;
}

/** The Mach-O file has two load commands. The second names a signature of 16 bytes at the end. */
function machO(machine: number, magic = 0xfade0cc0): Buffer {
  const bytes = Buffer.alloc(128);
  const fields = { 0: 0xfeedfacf, 4: machine, 16: 2, 32: 0x19, 36: 24, 56: 0x1d, 60: 16, 64: 112, 68: 16 };
  for (const [at, value] of Object.entries(fields)) bytes.writeUInt32LE(value, Number(at));
  bytes.writeUInt32BE(magic, 112);
  return bytes;
}

function pe(machine: number, signed: number): Buffer {
  const bytes = Buffer.alloc(512 + signed, "s");
  bytes.fill(0, 0, 512);
  bytes.write("MZ", 0);
  bytes.writeUInt32LE(HEADER, 0x3c);
  bytes.write("PE\0\0", HEADER);
  bytes.writeUInt16LE(machine, HEADER + 4);
  bytes.writeUInt16LE(0x20b, HEADER + 24);
  bytes.writeUInt32LE(signed === 0 ? 0 : 512, CERTIFICATES);
  bytes.writeUInt32LE(signed, CERTIFICATES + 4);
  return bytes;
}

describe("executableKind()", () => {
  it.each([
    { of: elf(62), os: "linux", arch: "amd64", isSigned: false },
    { of: elf(183), os: "linux", arch: "arm64", isSigned: false },
    { of: machO(0x01000007), os: "darwin", arch: "amd64", isSigned: true },
    { of: machO(0x0100000c), os: "darwin", arch: "arm64", isSigned: true },
    { of: machO(0x0100000c, 0), os: "darwin", arch: "arm64", isSigned: false },
    { of: machO(0x0100000c).subarray(0, 127), os: "darwin", arch: "arm64", isSigned: false },
    { of: pe(0x8664, 0), os: "windows", arch: "amd64", isSigned: false },
    { of: pe(0xaa64, 32), os: "windows", arch: "arm64", isSigned: true },
  ])("recognizes a program for $os on $arch, signed: $isSigned", ({ of, ...kind }) => {
    expect(executableKind(of)).toEqual(kind);
  });

  it.each([
    { what: "a script", of: Buffer.from("#!/bin/sh".padEnd(64)) },
    { what: "a program of Linux for arm", of: elf(40) },
    { what: "a program of Windows for i386", of: pe(0x14c, 0) },
  ])("rejects $what", ({ of }) => {
    expect(() => executableKind(of)).toThrow(/^This is (no|a) program for/);
  });
});

describe("requireKind()", () => {
  it.each([
    { of: elf(183), target: { os: "linux", arch: "amd64" }, isRight: false },
    { of: machO(0x0100000c, 0), target: { os: "darwin", arch: "arm64" }, isRight: false },
    { of: pe(0x8664, 0), target: { os: "windows", arch: "amd64" }, isRight: true },
  ] as const)("tells whether a program is for $target: $isRight", ({ of, target, isRight }) => {
    const require = expect(() => requireKind(of, target));
    if (isRight) require.not.toThrow();
    else require.toThrow(`The program for ${target.os} on ${target.arch} is one for`);
  });
});
