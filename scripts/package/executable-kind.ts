interface ExecutableKind {
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "amd64" | "arm64";
  /** Always false for Linux. */
  readonly isSigned: boolean;
}

/** Reads the headers of a 64-bit ELF, Mach-O or PE program. */
export function executableKind(program: Buffer): ExecutableKind {
  if (program.readUInt32BE(0) === 0x7f454c46) {
    return { os: "linux", arch: archOf(program.readUInt16LE(18), { amd64: 62, arm64: 183 }), isSigned: false };
  }
  if (program.readUInt32LE(0) === 0xfeedfacf) {
    const arch = archOf(program.readUInt32LE(4), { amd64: 0x01000007, arm64: 0x0100000c });
    return { os: "darwin", arch, isSigned: hasCodeSignature(program) };
  }
  if (program.toString("latin1", 0, 2) === "MZ") return portableExecutable(program);
  throw new Error("This is no program for Linux, macOS or Windows.");
}

function archOf(machine: number, numbers: Readonly<Record<ExecutableKind["arch"], number>>): ExecutableKind["arch"] {
  if (machine === numbers.amd64) return "amd64";
  if (machine === numbers.arm64) return "arm64";
  throw new Error(`This is a program for another machine: ${machine}.`);
}

const LC_CODE_SIGNATURE = 0x1d;
/** `CSMAGIC_EMBEDDED_SIGNATURE` of macOS. */
const SIGNATURE_MAGIC = 0xfade0cc0;

function hasCodeSignature(program: Buffer): boolean {
  const count = program.readUInt32LE(16);
  for (let index = 0, at = 32; index < count; index++, at += program.readUInt32LE(at + 4)) {
    if (program.readUInt32LE(at) !== LC_CODE_SIGNATURE) continue;
    const [offset, size] = [program.readUInt32LE(at + 8), program.readUInt32LE(at + 12)];
    return offset + size === program.length && program.readUInt32BE(offset) === SIGNATURE_MAGIC;
  }
  return false;
}

function portableExecutable(program: Buffer): ExecutableKind {
  const header = program.readUInt32LE(0x3c);
  if (program.toString("latin1", header, header + 4) !== "PE\0\0") throw new Error("This is no program for Windows.");
  const arch = archOf(program.readUInt16LE(header + 4), { amd64: 0x8664, arm64: 0xaa64 });
  const certificates = header + 24 + 112 + 4 * 8;
  return { os: "windows", arch, isSigned: program.readUInt32LE(certificates + 4) > 0 };
}

export function requireKind(program: Buffer, target: Omit<ExecutableKind, "isSigned">): void {
  const { os, arch, isSigned } = executableKind(program);
  // On Apple silicon, macOS runs no arm64 program without a signature.
  if (os === target.os && arch === target.arch && (isSigned || os !== "darwin")) return;
  throw new Error(`The program for ${target.os} on ${target.arch} is one for ${os} on ${arch}, signed: ${isSigned}.`);
}
