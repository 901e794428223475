import type { Json } from "../../../../../schemas/index.ts";

/** A log line. It contains ids, keywords and numbers, but never the content of a message, an answer or a credential. */
export interface LogLine {
  at: string;
  event: string;
  id?: string;
  agent?: string;
  note?: string;
  /** Content that must not be logged. Only broken hubs set it. */
  leak?: Json;
}

/** The maximum number of lines. Older lines are dropped. */
const maxLines = 10_000;

export interface Log {
  lines: LogLine[];
  write(line: LogLine): void;
}

export function startLog(): Log {
  const lines: LogLine[] = [];
  return {
    lines,
    write(line) {
      if (lines.push(line) > maxLines) lines.shift();
    },
  };
}
