import { between, closing, hidden, opening } from "./comment.ts";
import { runCode, startProgram } from "./run-program.ts";

// The beginning of the built file; the program follows in a comment. Any Node must be able to read it, as a script and as a
// module, so it imports nothing.
startProgram(() => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const file = process.argv[1] ?? "";
  const text = readFileSync(file, "latin1");
  const border = text.lastIndexOf(between);
  const first = (): string => text.slice(text.indexOf(opening) + opening.length, border).replaceAll(hidden, "*/");
  const rest = (): string => {
    const { gunzipSync } = process.getBuiltinModule("node:zlib");
    const packed = text.slice(border + between.length, -closing.length);
    return gunzipSync(Buffer.from(packed, "base64")).toString("latin1");
  };
  runCode(file, (part) => (part === "first" ? first() : rest()), null);
});
