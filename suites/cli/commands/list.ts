import { example, nearestName, TouchstoneError } from "../../../schemas/index.ts";
import { escapeInvisible, escapeInvisibleJson } from "../../base/text/escape.ts";
import { renameProgram } from "../../base/text/program.ts";
import type { CliCommand } from "../command.ts";
import { terminalWidth } from "../output/columns.ts";
import { resolveProtocols } from "../sources/description.ts";

interface ListOptions {
  protocol?: string;
  vectors?: string;
  fault?: string;
  family?: string;
  map?: true;
  begins?: string;
  names?: true;
  json?: true;
}

const help = `
Examples:
  touchstone list                               what there are lists of
  touchstone list rules --protocol ${example.protocol}
  touchstone list variants --names --begins without-`;

export const list: CliCommand = {
  define(command) {
    command
      .argument("[what]", "the kind of list (default: the kinds)")
      .option("--protocol <name>", "only this protocol, or the pack in this folder", "all")
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option("--fault <name>", "of vectors: only those with this fault, such as foreign-field")
      .option("--family <name>", "of vectors and faults: only this family, see `list families`")
      .option("--map", "of rules: the file and line of each part: statement, check, cases, scenarios, variants")
      .option("--begins <text>", "only names that begin with this text")
      .option("--names", "only names, one on each line")
      .option("--json", "as a JSON array")
      .addHelpText("after", help);
  },
  async run([listingName], flags) {
    const { protocol = "all", vectors, fault, family, map, begins = "", names, json } = flags as ListOptions;
    const { countRows, listings } = await import("../output/listings.ts");
    const { formatRows } = await import("../../base/text/table.ts");
    if (listingName === undefined) {
      const menu = listings.map(({ name, about }) => ({ list: name, shows: about }));
      process.stdout.write(
        json === true
          ? `${JSON.stringify(menu, null, 2)}\n`
          : `${formatRows(menu, terminalWidth())}\n\n${renameProgram("touchstone list NAME")}\n`,
      );
      return 0;
    }
    const listing = listings.find(({ name }) => name === listingName);
    if (listing === undefined) {
      const listingNames = listings.map(({ name }) => name);
      throw new TouchstoneError("usage", `unknown list "${listingName}"`, {
        hint: `${nearestName(listingName, listingNames)}there are lists of ${listingNames.join(", ")}`,
      });
    }
    const protocols = await resolveProtocols(protocol);
    const selection = {
      ...(fault === undefined ? {} : { fault }),
      ...(family === undefined ? {} : { family }),
      ...(map === undefined ? {} : { map }),
    };
    const rows = (await listing.rows(protocols, vectors, selection)).filter((row) =>
      String(row[listing.key]).startsWith(begins),
    );
    const text =
      json === true
        ? `${escapeInvisibleJson(JSON.stringify(rows, null, 2))}\n`
        : names === true
          ? rows.map((row) => `${escapeInvisible(String(row[listing.key]))}\n`).join("")
          : `${formatRows(rows, terminalWidth())}\n${countRows(listing, rows)}\n`;
    process.stdout.write(text);
    return 0;
  },
};
