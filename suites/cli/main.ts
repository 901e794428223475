#!/usr/bin/env node
// The program is imported dynamically, so that a failure to load it is reported with a documented exit code.
import { startQuickly } from "./process/v8-flags.ts";

startQuickly();
try {
  await import("./program.ts");
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const hasTooManyFiles = code === "EMFILE" || code === "ENFILE";
  const explanation = hasTooManyFiles
    ? `the limit of open files is reached (${code})\n  raise the limit: ulimit -n`
    : `the program cannot be loaded: ${message}\n  install it again`;
  process.stderr.write(`touchstone: ${explanation}\n`);
  process.exitCode = hasTooManyFiles ? 2 : 4;
}
