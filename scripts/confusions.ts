import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, protocolsNamed } from "../schemas/index.ts";
import { listOf, tableOf, talliesOf } from "./confusions/table.ts";
import { replaceMarked } from "./marked-part.ts";

/**
 * Counts, for each protocol, the confusions between languages that its vectors show. Prints the table. `--list` also prints each location
 * that no vector shows, with the reason. `--write` writes the table into the page. Other arguments name protocols; by default, all are counted.
 */
const args = process.argv.slice(2);
const namedProtocols = args.filter((arg) => !arg.startsWith("-"));
const page = join(home, "suites", "guides", "scoreboard.md");
const protocols = protocolsNamed("all").filter(
  ({ name }) => namedProtocols.length === 0 || namedProtocols.includes(name),
);
const tallies = await talliesOf(protocols);
if (!args.includes("--write")) {
  console.log(tableOf(tallies));
  if (args.includes("--list")) for (const line of listOf(tallies)) console.log(line);
} else if (namedProtocols.length > 0) {
  console.error("✗ The page has all protocols: leave out the names with --write.");
  process.exitCode = 1;
} else writeFileSync(page, replaceMarked(readFileSync(page, "utf8"), "confusions", `\n${tableOf(tallies)}\n`));
