import { closing, hidden, opening } from "./comment.ts";
import { runCode, startProgram } from "./run-program.ts";

// The beginning of the built file; the program follows in a comment. Any Node must be able to read it, as a script and as a
// module, so it imports nothing.
startProgram(() => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const file = process.argv[1] ?? "";
  const text = readFileSync(file, "latin1");
  const code = text.slice(text.indexOf(opening) + opening.length, -closing.length);
  runCode(code.replaceAll(hidden, "*/"), file, null);
});
