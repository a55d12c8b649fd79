/** Of the tables that a Windows program names in its header, the one with its signature (Microsoft's PE Format). */
const CERTIFICATES = 4;
const PE32_PLUS = 0x20b;

/** A Windows program without its signature: with something put into it, that would not hold any more. */
export function withoutSignature(program: Buffer): Buffer {
  const header = program.readUInt32LE(0x3c);
  const optional = header + 24;
  if (program.readUInt16LE(optional) !== PE32_PLUS) throw new Error("This is no 64-bit program for Windows.");
  const entry = optional + 112 + CERTIFICATES * 8;
  const [offset, size] = [program.readUInt32LE(entry), program.readUInt32LE(entry + 4)];
  if (size === 0) return program;
  if (offset + size !== program.length) throw new Error("The signature is not at the program's end.");
  const unsigned = Buffer.from(program.subarray(0, offset));
  unsigned.fill(0, entry, entry + 8);
  return unsigned;
}
