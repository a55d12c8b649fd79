import { crc32, deflateRawSync } from "node:zlib";
import type { PackedFile } from "./tar.ts";

/** The first day that a ZIP archive can name, for files have to have one: January 1, 1980. */
const FIRST_DAY = 0x21;
const MADE_BY_UNIX = 3 << 8;
const VERSION = 20;
const DEFLATED = 8;
const REGULAR_FILE = 0o100000;

/** The files as a ZIP archive, always the same bytes for the same files. */
export function zip(files: readonly PackedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const deflated = deflateRawSync(file.bytes);
    const common = commonFields(file, deflated);
    const local = Buffer.concat([bytesOf([0x04034b50, 4]), common, bytesOf([0, 2]), Buffer.from(file.name)]);
    directory.push(directoryEntry(file, common, offset));
    parts.push(local, deflated);
    offset += local.length + deflated.length;
  }
  const entries = Buffer.concat(directory);
  const count: Field[] = [
    [files.length, 2],
    [files.length, 2],
  ];
  const end = bytesOf([0x06054b50, 4], [0, 4], ...count, [entries.length, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...parts, entries, end]);
}

/** What stands before a file and in the directory: how it is packed, its sum, its sizes, the length of its name. */
function commonFields({ name, bytes }: PackedFile, deflated: Buffer): Buffer {
  const packed: Field[] = [
    [VERSION, 2],
    [0, 2],
    [DEFLATED, 2],
    [0, 2],
    [FIRST_DAY, 2],
  ].map(([value = 0, size = 0]) => [value, size]);
  return bytesOf(...packed, [crc32(bytes), 4], [deflated.length, 4], [bytes.length, 4], [Buffer.byteLength(name), 2]);
}

function directoryEntry({ name, isExecutable }: PackedFile, common: Buffer, offset: number): Buffer {
  const mode = REGULAR_FILE | (isExecutable ? 0o755 : 0o644);
  const nothingMore: Field[] = Array.from({ length: 4 }, () => [0, 2]);
  return Buffer.concat([
    bytesOf([0x02014b50, 4], [MADE_BY_UNIX | VERSION, 2]),
    common,
    bytesOf(...nothingMore, [(mode << 16) >>> 0, 4], [offset, 4]),
    Buffer.from(name),
  ]);
}

/** A number and how many bytes it takes. */
type Field = readonly [value: number, size: number];

function bytesOf(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (const [value, size] of fields) at = bytes.writeUIntLE(value, at, size);
  return bytes;
}
