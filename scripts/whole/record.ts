import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** A file with the names of passed test files, one per line. */
export interface Record {
  has(name: string): boolean;
  add(name: string): void;
}

/** Opens a record, or begins one. A truncated last line does not count. */
export function openRecord(file: string): Record {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const names = new Set(text.split("\n").slice(0, -1));
  const isCut = text !== "" && !text.endsWith("\n");
  if (isCut) appendFileSync(file, "\n");
  return {
    has: (name) => names.has(name),
    add(name) {
      names.add(name);
      appendFileSync(file, `${name}\n`);
    },
  };
}
