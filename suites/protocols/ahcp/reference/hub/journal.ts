import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { type JsonObject, TouchstoneError } from "../../../../../schemas/index.ts";

/** An event in the journal, from which the hub restores its memory. Times are milliseconds since 1970. */
export type Happening =
  | { event: "accepted"; id: string; at: number; agent: string; key?: string; status: string; message: JsonObject }
  | { event: "ended"; id: string; at: number; status: string; envelope?: JsonObject }
  | { event: "attempted"; id: string; at: number; attempts: number; push: PushState }
  | { event: "deleted"; id: string; at: number }
  | { event: "consumed"; key: string }
  | { event: "bound"; host: string; agent: string };

/** The state of a push. Only a pending push will be attempted again. */
export type PushState = "pending" | "delivered" | "refused" | "exhausted";

/** An append-only record that survives the hub. */
export interface Journal {
  /** Returns when the event is on disk. */
  append(happening: Happening): void;
  read(): Happening[];
  close(): void;
}

/**
 * Opens a journal of JSON lines in a file. Each line is on disk before the next one is written. Opening drops the content of
 * deleted messages, and a last line that a crash has truncated, because it was never confirmed. Throws a usage error if the
 * file is not a journal.
 */
export function fileJournal(file: string): Journal {
  if (existsSync(file)) compactJournal(file);
  const handle = openSync(file, "a", 0o600);
  return {
    append(happening) {
      writeSync(handle, `${JSON.stringify(happening)}\n`);
      fsyncSync(handle);
    },
    read: () => readHappenings(file),
    close: () => closeSync(handle),
  };
}

/** A journal in memory, for a hub that only simulates restarts. It stores JSON, so that a restarted hub shares no objects with the old one. */
export function heapJournal(): Journal {
  const lines: string[] = [];
  return {
    append: (happening) => void lines.push(JSON.stringify(happening)),
    read: () => lines.map((line) => JSON.parse(line) as Happening),
    close() {},
  };
}

/** Reads the complete lines of a journal. */
function readHappenings(file: string): Happening[] {
  const text = readFileSync(file, "utf8");
  const lines = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Happening;
    } catch (cause) {
      const where = `${file}:${index + 1}`;
      throw new TouchstoneError("usage", "is not a line of a hub's journal", {
        where,
        hint: "name another file",
        cause,
      });
    }
  });
}

function compactJournal(file: string): void {
  const happenings = readHappenings(file);
  const deletedIds = new Set(happenings.flatMap((happening) => (happening.event === "deleted" ? [happening.id] : [])));
  const compacted = happenings.map((happening) => {
    if (!("id" in happening) || !deletedIds.has(happening.id)) return happening;
    if (happening.event === "accepted") return { ...happening, message: {} };
    if (happening.event !== "ended") return happening;
    const { envelope, ...withoutEnvelope } = happening;
    return withoutEnvelope;
  });
  // Renaming is atomic: a crash leaves either the old file or the new one.
  const newFile = `${file}.new`;
  writeFileSync(newFile, compacted.map((happening) => `${JSON.stringify(happening)}\n`).join(""), {
    mode: 0o600,
    flush: true,
  });
  renameSync(newFile, file);
}
