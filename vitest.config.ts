import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests of the executable and of the JavaScript file, which are built before them. */
const BUILT = ["test/built/**/*.test.ts"];

/** Pure code keeps nothing between tests, so its files can share a worker and what that has imported. */
const PURE = ["backoff", "explain", "kubelet", "render", "simulate"].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    env: { TZ: "Europe/Berlin", NO_COLOR: "1", LC_ALL: "C.UTF-8" },
    restoreMocks: true,
    // Many tests wait for a process or an answer; vitest would leave one processor idle besides.
    maxWorkers: availableParallelism() + 1,
    // A busy machine is no failure.
    testTimeout: 20_000,
    // Hooks start servers, replay recordings and load every command.
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"], exclude: [...PURE, ...BUILT] } },
      {
        extends: true,
        test: { name: "built", include: BUILT, globalSetup: "test/support/build-programs.ts", testTimeout: 60_000 },
      },
    ],
  },
});
