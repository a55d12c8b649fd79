import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Built programs leave nothing in the cache of whoever runs the tests.
    env: { TZ: "Europe/Berlin", NO_COLOR: "1", NODE_DISABLE_COMPILE_CACHE: "1" },
    restoreMocks: true,
  },
});
