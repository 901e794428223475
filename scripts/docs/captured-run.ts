import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../schemas/index.ts";

/** The result of a command: its exit code and its output. */
export interface CapturedRun {
  code: number;
  out: string;
  err: string;
}

/** Runs the program within this process, in a working folder. Concurrent runs would share the streams. */
export async function captureRun(folder: string, args: readonly string[]): Promise<CapturedRun> {
  // A dynamic import by address, because the fixture is not part of the public entry.
  const fixture = await import(pathToFileURL(join(home, "suites", "cli", "process.fixture.ts")).href);
  return fixture.captureProcess(folder, args);
}
