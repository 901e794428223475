import { join } from "node:path";

/** Returns the path of the built version of a source file such as `suites/cli/main.ts`. scripts/built.js builds it before any test. */
export function builtPathOf(source: string): string {
  const { TOUCHSTONE_BUILT: folder } = process.env;
  if (folder === undefined) throw new Error("nothing is built: run the tests with --config scripts/vitest.config.ts");
  return join(folder, source.replace(/\.ts$/, ".js"));
}

/** The program as users start it. */
export const program: string = builtPathOf("suites/cli/main.ts");
