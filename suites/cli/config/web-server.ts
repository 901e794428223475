import { setTimeout as sleep } from "node:timers/promises";
import { TouchstoneError, type WebServerConfig } from "../../../schemas/index.ts";
import { killGroup, spawnGroup } from "../../base/process/group.ts";

/** The default time to wait for the first answer, in seconds. */
const usualTimeout = 60;
/** Milliseconds between two probes, and the time limit of one. */
const pause = 100;
const probeTime = 2000;
/** The maximum characters of a server's output that are kept for an error. */
const maxPrintedLength = 2000;

/** Starts the server under test and waits until its address answers with any status. Throws a target error if the server exits before that or does not answer in time. If another program already answers at the address, throws as well, unless `reuse` allows that: then nothing is started. */
export async function startWebServer(
  { command, url, timeout = usualTimeout, reuse = false }: WebServerConfig,
  signal?: AbortSignal,
): Promise<{ close(): void }> {
  if (await answers(url)) {
    if (reuse) return { close() {} };
    throw serverError(url, "another program answers at this address already", "end it, or set webServer.reuse: true");
  }
  const child = spawnGroup(command, [], { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let endedWith: string | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part: Buffer) => {
      printed = `${printed}${part.toString("utf8")}`.slice(-maxPrintedLength);
    });
  child.once("error", ({ message }) => {
    endedWith ??= `it could not be started: ${message}`;
  });
  child.once("exit", (code, by) => {
    endedWith ??= `it ended with ${by ?? `exit code ${code}`} before it answered`;
  });
  const close = (): void => killGroup(child);
  const until = performance.now() + timeout * 1000;
  while (endedWith === undefined && signal?.aborted !== true && performance.now() < until) {
    if (await answers(url)) return { close };
    await sleep(pause);
  }
  close();
  const outputNote = printed.trim() === "" ? "it printed nothing" : `it printed: ${printed.trim()}`;
  throw serverError(url, endedWith ?? `it did not answer within ${timeout} s`, `${command}: ${outputNote}`);
}

function serverError(where: string, problem: string, hint: string): TouchstoneError {
  return new TouchstoneError("target", `the server of webServer.command: ${problem}`, { where, hint });
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(probeTime) });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
