import { setTimeout as sleep } from "node:timers/promises";
import { TouchstoneError, type WebServerConfig } from "../../../schemas/index.ts";
import { killGroup, spawnGroup } from "../../base/process/group.ts";

/** The default time to wait for the first answer, in seconds. */
const defaultTimeoutSeconds = 60;
/** The pause between two probes, and the time limit of one. */
const pauseMs = 100;
const probeTimeoutMs = 2000;
/** The maximum number of characters of the server's output that an error shows. */
const maxPrintedLength = 2000;

/** Starts the server under test, and waits until its address answers with any status. Throws a target error if the server exits first, or does not answer in time. If a program already answers at the address, nothing is started: with `reuse` that program is used, otherwise this is an error. */
export async function startWebServer(
  { command, url, timeout = defaultTimeoutSeconds, reuse = false }: WebServerConfig,
  signal?: AbortSignal,
): Promise<{ close(): void }> {
  if (await isAnswering(url)) {
    if (reuse) return { close() {} };
    throw serverError(url, "another program answers at this address already", "end it, or set webServer.reuse: true");
  }
  const child = spawnGroup(command, [], { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let endReason: string | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output = `${output}${chunk.toString("utf8")}`.slice(-maxPrintedLength);
    });
  child.once("error", ({ message }) => {
    endReason ??= `it could not be started: ${message}`;
  });
  child.once("exit", (code, signalName) => {
    endReason ??= `it ended with ${signalName ?? `exit code ${code}`} before it answered`;
  });
  const close = (): void => killGroup(child);
  const giveUpAt = performance.now() + timeout * 1000;
  while (endReason === undefined && signal?.aborted !== true && performance.now() < giveUpAt) {
    if (await isAnswering(url)) return { close };
    await sleep(pauseMs);
  }
  close();
  const outputNote = output.trim() === "" ? "it printed nothing" : `it printed: ${output.trim()}`;
  throw serverError(url, endReason ?? `it did not answer within ${timeout} s`, `${command}: ${outputNote}`);
}

function serverError(where: string, problem: string, hint: string): TouchstoneError {
  return new TouchstoneError("target", `the server of webServer.command: ${problem}`, { where, hint });
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(probeTimeoutMs) });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
