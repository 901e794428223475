import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { home, type Json, type Manifest, ownVectors, protocolsNamed } from "../schemas/index.ts";
import { replaceMarked } from "./marked-part.ts";
import { installPackages, runValidator, versionOf } from "./scoreboard/ask.ts";
import { rowOf, type ScoreRow, tableOf } from "./scoreboard/row.ts";
import { validators } from "./scoreboard/validators.ts";

const page = join(home, "suites", "guides", "scoreboard.md");

/** Runs the vectors of the schemas against every installed validator, and returns the table of results. */
async function scoreboard(folder: string): Promise<string> {
  const schemas = new Map<string, Json>();
  for (const { schemas: protocolSchemas } of protocolsNamed("all"))
    for (const schema of protocolSchemas) schemas.set(String(schema.$id), schema);
  installPackages(folder, validators);
  const rows: ScoreRow[] = [];
  const testedValidators = new Set<string>();
  for (const [index, validator] of validators.entries()) {
    const version = versionOf(validator);
    const name = `${validator.name} ${version}`;
    if (version === undefined || testedValidators.has(name)) continue;
    testedValidators.add(name);
    const row = rowOf(validator, version, await runValidator(validator, folder, index), schemas);
    console.error(row.cells.join(" | "));
    rows.push(row);
  }
  const { version: setVersion } = JSON.parse(readFileSync(join(ownVectors, "MANIFEST.json"), "utf8")) as Manifest;
  return `Counted with version ${setVersion} of the vector set.\n\n${tableOf(rows)}`;
}

const folder = mkdtempSync(join(tmpdir(), "scoreboard-"));
try {
  const table = await scoreboard(folder);
  if (process.argv.includes("--write"))
    writeFileSync(page, replaceMarked(readFileSync(page, "utf8"), "scoreboard", `\n${table}\n`));
  else console.log(table);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
