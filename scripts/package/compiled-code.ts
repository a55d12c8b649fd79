import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Example, listExamples } from "../../src/cluster/examples.ts";
import { startRecordedServer } from "../bench/recorded-server.ts";

const COMPILE = fileURLToPath(new URL("compile.ts", import.meta.url));

/** The order of things in V8's tables; by chance otherwise, and then no two builds would be the same. */
const SAME_EACH_TIME = ["--hash-seed=1", "--random-seed=1"];

/** Where compiled code says with which flags it was made (V8 12.4, `SerializedCodeData::kFlagHashOffset`): 4 bytes. */
const FLAGS_AT = 12;

/** What `node` compiles of the program's code in order to explain any of the recordings, asked for live; the same each time. */
export async function compiledCode(code: string, node: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-package-"));
  try {
    const [program, nothing] = [join(folder, "program.js"), join(folder, "nothing.js")];
    writeFileSync(program, code);
    writeFileSync(nothing, "");
    for (const example of listExamples()) await explainLive(example, folder, (argv) => compile(node, program, argv));
    await compile(node, nothing, [], []);
    const compiled = readFileSync(`${program}.compiled`);
    // The flags change nothing in the code, but whoever runs it has none.
    readFileSync(`${nothing}.compiled`).copy(compiled, FLAGS_AT, FLAGS_AT, FLAGS_AT + 4);
    return compiled;
  } finally {
    rmSync(folder, { recursive: true });
  }
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

async function compile(node: string, file: string, argv: readonly string[], flags = SAME_EACH_TIME): Promise<void> {
  await promisify(execFile)(node, [...flags, COMPILE, file, `${file}.compiled`, ...argv]);
}
