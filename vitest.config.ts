import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests of the executable and of the JavaScript file, which are built before them. */
const BUILT = ["test/built/**/*.test.ts"];

/** These measure how long a run takes, or replace something of the process that they do not put back. */
const ALONE = ["test/faults/**/*.test.ts", "test/fuzz/**/*.test.ts", "test/security/secrets.test.ts"];

/** These run longest. Begun last, each would keep one processor busy when the others have nothing left to do. */
const LONGEST =
  /test\/(recordings\/recordings|commands\/(catch|watch-day|wait)|browser\/page|built\/(output|files))\.test\.ts$/;

/** Begins with the longest files of each project. In a fresh clone, vitest knows only the sizes of the files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ofProjects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...ofProjects.values()].flatMap((own) =>
      own.toSorted((a, b) => Number(LONGEST.test(b.moduleId)) - Number(LONGEST.test(a.moduleId))),
    );
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
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
