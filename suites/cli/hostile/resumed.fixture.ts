import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { home } from "../../../schemas/index.ts";
import { kinds, type Row, rows } from "./rows.fixture.ts";

/** The file that keeps the marks of survived attacks for the next call. */
const survivedFile = join(home, "node_modules", ".cache", "hostile", "survived");

/**
 * Carries out every attack that was not survived in an earlier call, and reports those that succeed.
 * Can be stopped at any time and called again. After all attacks were survived, the next call starts over.
 * Resolves to whether all attacks were survived.
 */
export async function playRows(print: (line: string) => void): Promise<boolean> {
  mkdirSync(dirname(survivedFile), { recursive: true });
  const survivedBefore = new Set(existsSync(survivedFile) ? readFileSync(survivedFile, "utf8").split("\n") : []);
  const survived = new Set(survivedBefore);
  if (survivedBefore.size > 1)
    print(`${survivedBefore.size - 1} of ${rows.length} attacks were survived in an earlier call, which was stopped`);
  for (const row of rows) {
    const mark = markOf(row);
    if (survivedBefore.has(mark)) continue;
    const complaints = await row.play().catch((error: unknown) => [String(error)]);
    if (complaints.length > 0) print(`FAILED    ${row.kind}: ${row.name}\n    ${complaints.join("\n    ")}`);
    else {
      survived.add(mark);
      appendFileSync(survivedFile, `${mark}\n`);
    }
  }
  for (const kind of kinds) {
    const rowsOfKind = rows.filter((row) => row.kind === kind);
    print(`${rowsOfKind.filter((row) => survived.has(markOf(row))).length} of ${rowsOfKind.length} survived: ${kind}`);
  }
  const areAllSurvived = rows.every((row) => survived.has(markOf(row)));
  if (areAllSurvived) rmSync(survivedFile);
  return areAllSurvived;
}

function markOf({ kind, name }: Row): string {
  return createHash("sha256").update(`${kind}: ${name}`).digest("hex").slice(0, 16);
}

// The main part, for `npm run hostile`.
if (process.argv[1] === import.meta.filename) process.exitCode = (await playRows((line) => console.log(line))) ? 0 : 1;
