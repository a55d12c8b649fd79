import { program } from "./program.ts";
import { runCode, startProgram } from "./run-program.ts";

// What Node starts with where it carries the program in itself: its code, and for some platforms that compiled.
startProgram(() => {
  const { getRawAsset } = process.getBuiltinModule("node:sea");
  const bytesOf = (name: string): Buffer => Buffer.from(getRawAsset(name));
  runCode(bytesOf("code").toString("latin1"), process.execPath, program.isCompiled ? bytesOf("compiled") : null);
});
