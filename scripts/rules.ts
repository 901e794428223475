// Builds the rules in schemas/*/*/rules/*.yaml: writes the list of rules, and their checks and cases as JSON. `--check` only reports stale files.
import { writeFileSync } from "node:fs";
import { hasFamilies, protocolsNamed, shownPath, TouchstoneError } from "../schemas/index.ts";
import { ruled } from "../suites/index.ts";
import { staleFiles } from "./rules/stale-files.ts";

const isCheck = process.argv.includes("--check");
try {
  for (const { file, text } of staleFiles()) {
    if (isCheck) process.exitCode = 1;
    else writeFileSync(file, text);
    console.log(isCheck ? `✗ ${shownPath(file)} differs from its rules: npm run rules` : `wrote ${shownPath(file)}`);
  }
  // Each case must apply to its first message. If it does not, an error names its location.
  for (const protocol of protocolsNamed("all").filter(({ folder }) => hasFamilies(folder)))
    for (const { cases } of (await ruled(protocol)).families) cases.at(0);
} catch (error) {
  if (!(error instanceof TouchstoneError)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 2;
}
