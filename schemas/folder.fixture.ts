import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder with these files, as text or as JSON, until the tests of the file are over. */
export function folderWith(files: Record<string, unknown>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "touchstone-")));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}
