import { closest, TouchstoneError } from "../../../schemas/index.ts";
import { protocolsMeant } from "../../pack/load.ts";
import { visibleJson } from "../../text/escape.ts";
import type { CliCommand } from "../command.ts";
import { withPack } from "../described.ts";

interface Options {
  protocol?: string;
  vectors?: string;
  json?: true;
}

export const list: CliCommand = {
  define(command) {
    command
      .argument("<what>", "protocols, documents, rules, readings, vectors or variants")
      .option("--protocol <name>", "of this protocol only, or of the pack in this folder", "all")
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option("--json", "as a JSON array");
  },
  async run([what = ""], given) {
    const { protocol = "all", vectors, json = false } = given as Options;
    const { listings } = await import("../listings.ts");
    const listing = listings.find(({ name }) => name === what);
    if (listing === undefined) {
      const names = listings.map(({ name }) => name);
      throw new TouchstoneError("usage", `there is no list of "${what}"`, {
        hint: `${closest(what, names)}there are lists of ${names.join(", ")}`,
      });
    }
    const rows = await listing.rows(await protocolsMeant(await withPack(protocol)), vectors);
    const { rowsAsText } = await import("../../text/table.ts");
    process.stdout.write(
      json ? `${visibleJson(JSON.stringify(rows, null, 2))}\n` : `${rowsAsText(rows)}\n${rows.length} ${what}\n`,
    );
    return 0;
  },
};
