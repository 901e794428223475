import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home, ownVectors } from "../schemas/index.ts";
import { choiceIn, rowsOf } from "./readers/expected.ts";
import { isInstalled, languages, rowsOfReader } from "./readers/languages.ts";

/**
 * Builds the readers of the guide in the named languages (by default all), runs them over the whole set, and compares their rows with the
 * expected ones. Exits with 1 if anything differs or is missing.
 */
function checkReaders(names: readonly string[]): number {
  const page = readFileSync(join(home, "suites", "guides", "readers.md"), "utf8");
  // Once without a choice, and once with all choices.
  const choices = [[], choiceIn(ownVectors)];
  const expectedRows = choices.map((chosenNames) => rowsOf(ownVectors, chosenNames));
  let failedCount = 0;
  for (const language of languages.filter(({ name }) => names.length === 0 || names.includes(name.toLowerCase()))) {
    if (!isInstalled(language)) {
      console.log(`${language.name}: not installed (${language.needs.join(" ")})`);
      failedCount += 1;
      continue;
    }
    const startedAt = performance.now();
    const rows = rowsOfReader(language, page, ownVectors, choices);
    const missingRows = expectedRows.flatMap((expected, index) =>
      expected.filter((row, rowIndex) => rows[index]?.[rowIndex] !== row),
    );
    const isLong = expectedRows.some((all, index) => all.length !== rows[index]?.length);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const total = expectedRows.reduce((all, { length }) => all + length, 0);
    console.log(`${language.name}: ${total - missingRows.length} of ${total} rows as expected, ${seconds} s`);
    for (const row of missingRows.slice(0, 5)) console.log(`  missing: ${row}`);
    if (isLong) console.log(`  there are ${rows.map(({ length }) => length).join(" and ")} rows`);
    failedCount += missingRows.length > 0 || isLong ? 1 : 0;
  }
  return failedCount === 0 ? 0 : 1;
}

process.exitCode = checkReaders(process.argv.slice(2));
