import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import LongestFirst from "./sequencer.ts";

const config: ViteUserConfig = defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    globalSetup: ["scripts/built.js"],
    setupFiles: ["scripts/seed.ts", "scripts/temporary-folder.setup.ts"],
    include: ["{schemas,generators,suites,scripts}/**/*.test.ts"],
    // Four more than cores: the longest tests wait for processes, sockets and timers. A worker keeps its modules from file to file.
    maxWorkers: availableParallelism() + 4,
    isolate: false,
    // The second run reads the first run's results for each module: 5 of 48 seconds of the processor for 41 files.
    experimental: { fsModuleCache: true },
    // Most objects die young.
    execArgv: ["--max-semi-space-size=32", "--min-semi-space-size=16"],
    sequence: { sequencer: LongestFirst },
    // A guard against endless tests: no test is about time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    coverage: {
      provider: "v8",
      include: ["schemas/**/*.ts", "generators/**/*.ts", "suites/**/*.ts"],
      exclude: ["**/*.test.ts"],
    },
  },
});

export default config;
