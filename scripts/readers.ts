import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home, ownVectors } from "../schemas/index.ts";
import { choiceIn, rowsOf } from "./readers/expected.ts";
import { isInstalled, languages, rowsOfReader } from "./readers/languages.ts";

/** Builds the readers of the guide in the named languages, all by default, runs them over the whole set, and compares their results. Exits with 1 if anything differs or is missing. */
function readers(names: readonly string[]): number {
  const page = readFileSync(join(home, "suites", "guides", "readers.md"), "utf8");
  // Once without a choice, and once with all choices.
  const choices = [[], choiceIn(ownVectors)];
  const expectedRows = choices.map((chosen) => rowsOf(ownVectors, chosen));
  let failed = 0;
  for (const language of languages.filter(({ name }) => names.length === 0 || names.includes(name.toLowerCase()))) {
    if (!isInstalled(language)) {
      console.log(`${language.name}: not there (${language.needs.join(" ")})`);
      failed += 1;
      continue;
    }
    const startedAt = performance.now();
    const rows = rowsOfReader(language, page, ownVectors, choices);
    const missingRows = expectedRows.flatMap((all, index) => all.filter((row, place) => rows[index]?.[place] !== row));
    const isLong = expectedRows.some((all, index) => all.length !== rows[index]?.length);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const total = expectedRows.reduce((all, { length }) => all + length, 0);
    console.log(`${language.name}: ${total - missingRows.length} of ${total} rows as they should be, ${seconds} s`);
    for (const row of missingRows.slice(0, 5)) console.log(`  not yielded: ${row}`);
    if (isLong) console.log(`  there are ${rows.map(({ length }) => length).join(" and ")} rows`);
    failed += missingRows.length > 0 || isLong ? 1 : 0;
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = readers(process.argv.slice(2));
