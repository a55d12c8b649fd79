import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Pure code keeps nothing between tests, so its files can share a worker and what that has imported. */
const PURE = ["backoff", "explain", "kubelet", "render", "simulate"].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    // Built programs leave nothing in the cache of whoever runs the tests.
    env: { TZ: "Europe/Berlin", NO_COLOR: "1", LC_ALL: "C.UTF-8", NODE_DISABLE_COMPILE_CACHE: "1" },
    restoreMocks: true,
    // Many tests wait for a process or an answer; vitest would leave one processor idle besides.
    maxWorkers: availableParallelism() + 1,
    // A busy machine is no failure.
    testTimeout: 20_000,
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"], exclude: PURE } },
    ],
  },
});
