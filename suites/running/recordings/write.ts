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

/** The maximum size of one recording in bytes. */
const defaultMaxBytes = 32 * 1024 * 1024;

/** Writes recordings, one file for each scenario: `DIR/PROTOCOL/VERSION/SCENARIO.jsonl`. */
export interface Recorder {
  take(played: { protocol: Protocol; scenario: Scenario; side: string | undefined; seed: number }): Take;
  /** Describes why some entries were not recorded; undefined if all were. */
  problem(): string | undefined;
}

/** Creates a recorder. Entries beyond the maximum size are dropped and marked by a gap. Throws a usage error if the folder cannot be written. */
export function recorderIn(folder: string, maxBytes: number = defaultMaxBytes): Recorder {
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
      const file = join(folder, ...[protocol, version, `${scenario}.jsonl`].map(toPathPart));
      const head: RecordingHead = {
        recording: 1,
        protocol,
        version,
        scenario,
        ...(side === undefined ? {} : { side }),
        seed,
      };
      const lines = openLineWriter(file, maxBytes, (cause) => {
        problem ??= `not all is recorded: ${file}: ${(cause as Error).message}`;
      });
      lines.write(head);
      return {
        sent({ from, to, head: sentHead, text, retold }) {
          const retoldPart = retold === undefined ? {} : { retold };
          const base = {
            ms: lines.ms(),
            from,
            to,
            ...(sentHead === undefined ? {} : { head: sentHead }),
            ...retoldPart,
          };
          lines.write(text === "" ? base : { ...base, ...toContent(text) });
        },
        end: lines.end,
      };
    },
    problem: () => problem,
  };
}

/** Writes each line to the file immediately, so that the lines of a killed process are kept. */
function openLineWriter(
  file: string,
  maxBytes: number,
  onBroken: (cause: unknown) => void,
): { ms(): number; write(line: RecordingHead | RecordedSent | RecordedGap): void; end(): void } {
  const startedAt = performance.now();
  const elapsedMs = (): number => Math.round((performance.now() - startedAt) * 10) / 10;
  let descriptor: number | undefined;
  let size = 0;
  const end = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  const attempt = (write: () => void): void => {
    try {
      write();
    } catch (cause) {
      onBroken(cause);
      descriptor = undefined;
    }
  };
  attempt(() => {
    makeFolder(dirname(file));
    descriptor = openSync(file, "w");
  });
  return {
    ms: elapsedMs,
    write(line) {
      if (descriptor === undefined) return;
      const text = `${JSON.stringify(line)}\n`;
      size += Buffer.byteLength(text);
      const isFull = size > maxBytes;
      const gap: RecordedGap = { ms: elapsedMs(), gap: `the recording is full: ${maxBytes} bytes` };
      attempt(() => writeSync(descriptor as number, isFull ? `${JSON.stringify(gap)}\n` : text));
      if (isFull) end();
    },
    end,
  };
}

function toContent(text: string): { message: Json } | { text: string } {
  try {
    return { message: JSON.parse(text) as Json };
  } catch {
    return { text };
  }
}

/** Encodes a name as a part of a path, whatever characters it contains. */
function toPathPart(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^\./, "_")
    .slice(0, 200);
}
