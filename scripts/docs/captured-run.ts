import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../schemas/index.ts";

/** How a command ended. */
export interface CapturedRun {
  code: number;
  out: string;
  err: string;
}

/** Runs the program within this process, with a folder as the working one. Two at once would share the streams. */
export async function captureRun(folder: string, args: readonly string[]): Promise<CapturedRun> {
  // By its address, since users do not import it.
  const fixture = await import(pathToFileURL(join(home, "suites", "cli", "process.fixture.ts")).href);
  return fixture.captureProcess(folder, args);
}
