import { accessSync, closeSync, constants, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Json,
  type Protocol,
  type RecordedGap,
  type RecordedSent,
  type RecordingHead,
  type Scenario,
  type Take,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { makeFolder } from "../../base/process/folder.ts";

/** The maximum bytes of one recording. */
const usualMost = 32 * 1024 * 1024;

/** Makes recordings, one file for each scenario: `DIR/PROTOCOL/VERSION/SCENARIO.jsonl`. */
export interface Recorder {
  take(played: { protocol: Protocol; scenario: Scenario; side: string | undefined; seed: number }): Take;
  /** A sentence about the entries that could not be kept; undefined if all were. */
  problem(): string | undefined;
}

/** Entries after this many bytes are dropped, and a gap marks them. Throws a usage error, before anything is played, for a folder that cannot be written. */
export function recorderIn(folder: string, most: number = usualMost): Recorder {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new TouchstoneError("usage", `recordings cannot be written there: ${(cause as Error).message}`, {
      where: folder,
      hint: "name a writable folder, or a folder that does not exist yet",
      cause,
    });
  }
  let problem: string | undefined;
  return {
    take({ protocol: { name: protocol, version }, scenario: { name: scenario }, side, seed }) {
      const file = join(folder, ...[protocol, version, `${scenario}.jsonl`].map(partOf));
      const head: RecordingHead = {
        recording: 1,
        protocol,
        version,
        scenario,
        ...(side === undefined ? {} : { side }),
        seed,
      };
      const lines = linesTo(file, most, (cause) => {
        problem ??= `not all is recorded: ${file}: ${(cause as Error).message}`;
      });
      lines.write(head);
      return {
        sent({ from, to, head: before, text, retold }) {
          const retoldPart = retold === undefined ? {} : { retold };
          const base = { ms: lines.ms(), from, to, ...(before === undefined ? {} : { head: before }), ...retoldPart };
          lines.write(text === "" ? base : { ...base, ...contentOf(text) });
        },
        end: lines.end,
      };
    },
    problem: () => problem,
  };
}

/** Writes each line to the file at once, so that a killed process leaves its lines. */
function linesTo(
  file: string,
  most: number,
  onBroken: (cause: unknown) => void,
): { ms(): number; write(line: RecordingHead | RecordedSent | RecordedGap): void; end(): void } {
  const startedAt = performance.now();
  const elapsedMs = (): number => Math.round((performance.now() - startedAt) * 10) / 10;
  let open: number | undefined;
  let size = 0;
  const end = (): void => {
    if (open !== undefined) closeSync(open);
    open = undefined;
  };
  const attempt = (write: () => void): void => {
    try {
      write();
    } catch (cause) {
      onBroken(cause);
      open = undefined;
    }
  };
  attempt(() => {
    makeFolder(dirname(file));
    open = openSync(file, "w");
  });
  return {
    ms: elapsedMs,
    write(line) {
      if (open === undefined) return;
      const text = `${JSON.stringify(line)}\n`;
      size += Buffer.byteLength(text);
      const isFull = size > most;
      const last: RecordedGap = { ms: elapsedMs(), gap: `the recording is full: ${most} bytes` };
      attempt(() => writeSync(open as number, isFull ? `${JSON.stringify(last)}\n` : text));
      if (isFull) end();
    },
    end,
  };
}

function contentOf(text: string): { message: Json } | { text: string } {
  try {
    return { message: JSON.parse(text) as Json };
  } catch {
    return { text };
  }
}

/** Encodes a name with any characters as a part of a path. */
function partOf(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^\./, "_")
    .slice(0, 200);
}
