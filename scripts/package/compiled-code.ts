import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Example, listExamples } from "../../src/cluster/examples.ts";
import { startRecordedServer } from "../bench/recorded-server.ts";
import type { Parts } from "../build/bundle.ts";
import type { Part } from "../build/starter/run-parts.ts";

const COMPILE = fileURLToPath(new URL("compile.ts", import.meta.url));

/** The order of things in V8's tables; by chance otherwise, and then no two builds would be the same. */
const SAME_ORDER = ["--hash-seed=1", "--random-seed=1"];

/**
 * No memory that is used twice, and one thread: V8 leaves what was there before in the 4 bytes that fill up the head of a
 * `BytecodeArray`, and which memory that is would depend on how busy the machine is.
 */
const SAME_MEMORY = ["--single-threaded", "--min-semi-space-size=128", "--initial-heap-size=1024"];

/** Where compiled code says with which flags it was made (V8 12.4, `SerializedCodeData::kFlagHashOffset`): 4 bytes. */
const FLAGS_AT = 12;

/** What the program is run for while it is compiled: only what has run is. */
export interface Rehearsal {
  /** To be explained, asked for live. */
  readonly examples: readonly Example[];
  /** Other arguments to run it with, so that the rest of it is compiled at all. */
  readonly others: readonly (readonly string[])[];
}

const WHOLE: Rehearsal = { examples: listExamples(), others: [["version"], ["demo"], ["strategies"]] };

/** The program's two scripts, compiled. */
export type CompiledParts = Readonly<Record<Part, Buffer>>;

/** What `node` compiles of the program's code in order to do what is rehearsed; the same each time. */
export async function compiledCode(code: Parts, node: string, { examples, others } = WHOLE): Promise<CompiledParts> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-package-"));
  try {
    const [program, nothing] = [join(folder, "program"), join(folder, "nothing")];
    writeParts(program, code);
    writeParts(nothing, { first: "(() => {})", rest: "" });
    for (const example of examples) await explainLive(example, folder, (argv) => compile(node, program, argv));
    for (const argv of others) await compile(node, program, argv);
    await compile(node, nothing, [], []);
    // The flags change nothing in the code, but whoever runs it has none.
    const flags = readFileSync(join(nothing, "first.compiled")).subarray(FLAGS_AT, FLAGS_AT + 4);
    const compiledOf = (part: Part): Buffer => {
      const compiled = readFileSync(join(program, `${part}.compiled`));
      flags.copy(compiled, FLAGS_AT);
      return compiled;
    };
    return { first: compiledOf("first"), rest: compiledOf("rest") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeParts(folder: string, { first, rest }: Parts): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "first"), first);
  writeFileSync(join(folder, "rest"), rest);
}

/** Lets the program ask a server that says what was recorded. */
async function explainLive(example: Example, folder: string, run: (argv: string[]) => Promise<void>): Promise<void> {
  const server = await startRecordedServer(example);
  try {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig);
    await run(["explain", server.pod, "--namespace", server.namespace, "--kubeconfig", kubeconfig]);
  } finally {
    server.close();
  }
}

async function compile(
  node: string,
  folder: string,
  argv: readonly string[],
  flags = [...SAME_ORDER, ...SAME_MEMORY],
): Promise<void> {
  await promisify(execFile)(node, [...flags, COMPILE, folder, ...argv]);
}
