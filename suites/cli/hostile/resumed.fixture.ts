import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { home } from "../../../schemas/index.ts";
import { kinds, type Row, rows } from "./rows.fixture.ts";

/** Keeps the names of survived attacks for the next call. */
const file = join(home, "node_modules", ".cache", "hostile", "survived");

/** Plays every row that no earlier call has survived, kind by kind, and reports the successful attacks. Can be stopped at any time and called again; when all are survived, the next call starts over. Resolves to whether no attack succeeded. */
export async function playRows(say: (line: string) => void): Promise<boolean> {
  mkdirSync(dirname(file), { recursive: true });
  const before = new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
  const survived = new Set(before);
  if (before.size > 1)
    say(`${before.size - 1} of ${rows.length} attacks were survived in an earlier call, which was stopped`);
  for (const row of rows) {
    const mark = markOf(row);
    if (before.has(mark)) continue;
    const complaints = await row.play().catch((error: unknown) => [String(error)]);
    if (complaints.length > 0) say(`FAILED    ${row.kind}: ${row.name}\n    ${complaints.join("\n    ")}`);
    else {
      survived.add(mark);
      appendFileSync(file, `${mark}\n`);
    }
  }
  for (const kind of kinds) {
    const rowsOfKind = rows.filter((row) => row.kind === kind);
    say(`${rowsOfKind.filter((row) => survived.has(markOf(row))).length} of ${rowsOfKind.length} survived: ${kind}`);
  }
  const isWhole = rows.every((row) => survived.has(markOf(row)));
  if (isWhole) rmSync(file);
  return isWhole;
}

function markOf({ kind, name }: Row): string {
  return createHash("sha256").update(`${kind}: ${name}`).digest("hex").slice(0, 16);
}

// The main part, for `npm run hostile`.
if (process.argv[1] === import.meta.filename) process.exitCode = (await playRows((line) => console.log(line))) ? 0 : 1;
