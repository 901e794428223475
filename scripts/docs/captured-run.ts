import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../schemas/index.ts";

/** The end of a command. */
export interface CapturedRun {
  code: number;
  out: string;
  err: string;
}

/** Runs the program within this process, in a working folder. Two at once would share the streams. */
export async function captureRun(folder: string, args: readonly string[]): Promise<CapturedRun> {
  // Imported by its address, since users do not import it.
  const fixture = await import(pathToFileURL(join(home, "suites", "cli", "process.fixture.ts")).href);
  return fixture.captureProcess(folder, args);
}
