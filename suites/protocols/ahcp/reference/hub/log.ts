import type { Json } from "../../../../../schemas/index.ts";

/** A line of the log. It contains ids, words and numbers; never the content of a message, an answer or a credential. */
export interface LogLine {
  at: string;
  event: string;
  id?: string;
  agent?: string;
  note?: string;
  /** Absent in a right hub. */
  leak?: Json;
}

/** The maximum number of lines; the oldest are dropped. */
const maxEntries = 10_000;

export interface Log {
  lines: LogLine[];
  write(line: LogLine): void;
}

export function startLog(): Log {
  const lines: LogLine[] = [];
  return {
    lines,
    write(line) {
      if (lines.push(line) > maxEntries) lines.shift();
    },
  };
}
