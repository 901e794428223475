#!/usr/bin/env node
// The program is imported here: only running code can report why it cannot be loaded, and end with a documented exit code.
import { startQuickly } from "./process/v8-flags.ts";

startQuickly();
try {
  await import("./program.ts");
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === "EMFILE" || code === "ENFILE";
  const why = isFull
    ? `the limit of open files is reached (${code})\n  raise the limit: ulimit -n`
    : `the program cannot be loaded: ${message}\n  install it again`;
  process.stderr.write(`touchstone: ${why}\n`);
  process.exitCode = isFull ? 2 : 4;
}
