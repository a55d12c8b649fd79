import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests of the executable and of the JavaScript file, which are built before them. */
const BUILT = ["test/built/**/*.test.ts"];

/** These measure how long a run takes, or replace something of the process that they do not put back. */
const ALONE = ["test/faults/**/*.test.ts", "test/fuzz/**/*.test.ts", "test/security/secrets.test.ts"];

export default defineConfig({
  test: {
    env: { TZ: "Europe/Berlin", NO_COLOR: "1", LC_ALL: "C.UTF-8" },
    restoreMocks: true,
    unstubEnvs: true,
    // Many tests wait for a process or an answer; vitest would leave one processor idle besides.
    maxWorkers: availableParallelism() + 2,
    // A busy machine is no failure.
    testTimeout: 60_000,
    // Hooks start servers, replay recordings and load every command.
    hookTimeout: 120_000,
    projects: [
      // Without isolation, the files of a project share its workers, and what those have imported.
      {
        extends: true,
        test: { name: "shared", include: ["test/**/*.test.ts"], exclude: [...ALONE, ...BUILT], isolate: false },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
      {
        extends: true,
        test: { name: "built", include: BUILT, globalSetup: "test/support/build-programs.ts" },
      },
    ],
  },
});
