import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { JsonObject } from "../../../../schemas/index.ts";

/** Something that happened to a message, or to the hub: all that is remembered follows from these. Times are milliseconds since 1970. */
export type Happening =
  | { event: "accepted"; id: string; at: number; agent: string; key?: string; status: string; message: JsonObject }
  | { event: "ended"; id: string; at: number; status: string; envelope?: JsonObject }
  | { event: "attempted"; id: string; at: number; attempts: number; push: Push }
  | { event: "deleted"; id: string; at: number }
  | { event: "burnt"; key: string }
  | { event: "bound"; host: string; agent: string };

/** How far a push has come: it waits for an attempt, or nothing more will be sent. */
export type Push = "pending" | "delivered" | "refused" | "exhausted";

/** An append-only record that outlives the hub. */
export interface Journal {
  /** Returns when it is on disk. */
  append(happening: Happening): void;
  read(): Happening[];
  close(): void;
}

/** JSON lines in a file, each on disk before the next. A last line that a crash cut off is dropped: nobody was told of it. */
export function fileJournal(file: string): Journal {
  const handle = openSync(file, "a+", 0o600);
  const text = readFileSync(file);
  const whole = text.lastIndexOf(0x0a) + 1;
  if (whole < text.length) ftruncateSync(handle, whole);
  return {
    append(happening) {
      writeSync(handle, `${JSON.stringify(happening)}\n`);
      fsyncSync(handle);
    },
    read: () => parsed(readFileSync(file, "utf8").split("\n")),
    close: () => closeSync(handle),
  };
}

/** The same in memory, for a hub whose restarts are only played. It keeps texts, so that nothing is shared with the past. */
export function heapJournal(): Journal {
  const lines: string[] = [];
  return {
    append: (happening) => void lines.push(JSON.stringify(happening)),
    read: () => parsed(lines),
    close() {},
  };
}

function parsed(lines: readonly string[]): Happening[] {
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Happening);
}
