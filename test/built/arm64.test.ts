import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { asProcess } from "../../lab/faults/program.ts";
import { TLS_FAULTS } from "../../lab/faults/tls.ts";
import { tryFaults } from "../../lab/faults/try-faults.ts";
import { compile } from "../../scripts/compile/compile.ts";
import { runtimeFor } from "../../scripts/package/bun-runtime.ts";
import { TARGETS } from "../../scripts/package/targets.ts";
import { runFile } from "../support/command.ts";

/** The Debian packages qemu-user-static and libc6-arm64-cross install these. */
const [EMULATOR, LIBRARIES] = ["/usr/bin/qemu-aarch64-static", "/usr/aarch64-linux-gnu"];
const EMULATED_MS = 60_000;
const isInstalled = existsSync(EMULATOR) && existsSync(LIBRARIES);
/** Not by default, because this test is slow and downloads Bun's runtime for arm64 from the npm registry. */
const isAsked = process.env["EMULATOR_TESTS"] === "yes";
const why = isInstalled ? "EMULATOR_TESTS=yes asks for it" : `${EMULATOR} or ${LIBRARIES} is not installed`;
const skipped = isInstalled && isAsked ? "" : ` (skipped: ${why})`;

describe.skipIf(skipped !== "")(
  `the executable for Linux on arm64, in an emulator${skipped}`,
  { timeout: 300_000 },
  () => {
    const { main: executable } = inject("executable");
    const emulated = join(executable, "..", "kubectl-backoff-arm64");
    const run = asProcess([EMULATOR, "-L", LIBRARIES, emulated]);

    beforeAll(async () => {
      const target = TARGETS.find(({ os, arch }) => os === "linux" && arch === "arm64");
      if (target === undefined) throw new Error("There is no archive for it.");
      if (!existsSync(emulated)) compile(emulated, { name: target.bun, runtime: await runtimeFor(target) });
    }, 300_000);

    const LINES = ["version", "demo", "demo sidecar -o json", "simulate --run 42s", "explain --bogus"];
    it.each(LINES)("does the same as the executable for this machine: %s", async (line) => {
      const argv = line.split(" ");
      const { exitCode, stdout, stderr } = await run(argv);
      expect({ exitCode, stdout, stderr }).toEqual(await runFile(executable, argv));
      expect(exitCode).toBe(argv.includes("--bogus") ? 2 : 0);
    });

    it("rejects every server that it cannot verify, and explains a pod of a verified one", async () => {
      const certificates = TLS_FAULTS.filter(({ fault }) => fault.startsWith("certificate"));
      const asked = ["explain"] as const;
      const cases = certificates.map((faultCase) => ({ ...faultCase, asked, timeoutMs: EMULATED_MS }));
      const results = await tryFaults(cases, run, 2);
      expect(results.flatMap(({ faultCase, problems }) => problems.map((it) => [faultCase.variant, it]))).toEqual([]);
    });
  },
);
