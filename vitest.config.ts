import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    env: { TZ: "Europe/Berlin", NO_COLOR: "1" },
    restoreMocks: true,
  },
});
