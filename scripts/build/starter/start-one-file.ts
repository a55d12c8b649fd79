import { program } from "./program.ts";
import { runCode, startProgram } from "./run-program.ts";

// What Node starts with where it carries the program in itself: its code, and for some platforms that compiled.
startProgram(() => {
  const { getRawAsset } = process.getBuiltinModule("node:sea");
  const bytesOf = (name: string): Buffer => Buffer.from(getRawAsset(name));
  const compiled = {
    get first() {
      return bytesOf("first.compiled");
    },
    get rest() {
      return bytesOf("rest.compiled");
    },
  };
  const sourceOf = (part: string): string => bytesOf(part).toString("latin1");
  runCode(process.execPath, sourceOf, program.isCompiled ? compiled : null);
});
