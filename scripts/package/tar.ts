const BLOCK = 512;
const REGULAR_FILE = "0";

/** A file in an archive. */
export interface PackedFile {
  /** Without a folder: krew refuses what would go elsewhere. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly isExecutable: boolean;
}

/** The files as a tar archive (POSIX ustar): no owner, no time, so that the same files are the same bytes. */
export function tar(files: readonly PackedFile[]): Buffer {
  const blocks = files.flatMap((file) => [header(file), file.bytes, Buffer.alloc(-file.bytes.length & (BLOCK - 1))]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header({ name, bytes, isExecutable }: PackedFile): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write(isExecutable ? "0000755" : "0000644", 100);
  block.write("0000000", 108);
  block.write("0000000", 116);
  block.write(bytes.length.toString(8).padStart(11, "0"), 124);
  block.write("00000000000", 136);
  block.write(" ".repeat(8), 148);
  block.write(REGULAR_FILE, 156);
  block.write("ustar\u000000", 257, "latin1");
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${checksum.toString(8).padStart(6, "0")}\u0000 `, 148, "latin1");
  return block;
}

/** The regular files of a tar archive by name. Names of more than 100 characters keep their end only. */
export function readTar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const field = (from: number, length: number): string =>
      archive.toString("latin1", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(field(124, 12).trim() || "0", 8);
    const begin = at + BLOCK;
    if (field(156, 1) === REGULAR_FILE || field(156, 1) === "")
      files.set(field(0, 100), archive.subarray(begin, begin + size));
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
