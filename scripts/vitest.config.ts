import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["{schemas,generators,suites,scripts}/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["schemas/**/*.ts", "generators/**/*.ts", "suites/**/*.ts"],
      exclude: ["**/*.test.ts"],
    },
  },
});
