import { closest, TouchstoneError } from "../../../schemas/index.ts";
import { protocolsMeant } from "../../pack/load.ts";
import { visibleJson } from "../../text/escape.ts";
import type { CliCommand } from "../command.ts";
import { withPack } from "../described.ts";

interface Options {
  protocol?: string;
  vectors?: string;
  fault?: string;
  family?: string;
  json?: true;
}

export const list: CliCommand = {
  define(command) {
    command
      .argument("<what>", "protocols, documents, rules, coverage, readings, vectors, faults, families or variants")
      .option("--protocol <name>", "of this protocol only, or of the pack in this folder", "all")
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option("--fault <name>", "of vectors: those that are wrong in this way only, such as foreign-field")
      .option("--family <name>", "of vectors and faults: those of this family only: cross-type, timeout or token")
      .option("--json", "as a JSON array");
  },
  async run([what = ""], given) {
    const { protocol = "all", vectors, fault, family, json = false } = given as Options;
    const { listings } = await import("../listings.ts");
    const listing = listings.find(({ name }) => name === what);
    if (listing === undefined) {
      const names = listings.map(({ name }) => name);
      throw new TouchstoneError("usage", `there is no list of "${what}"`, {
        hint: `${closest(what, names)}there are lists of ${names.join(", ")}`,
      });
    }
    const all = await protocolsMeant(await withPack(protocol));
    const wanted = { ...(fault === undefined ? {} : { fault }), ...(family === undefined ? {} : { family }) };
    const rows = await listing.rows(all, vectors, wanted);
    const { rowsAsText } = await import("../../text/table.ts");
    process.stdout.write(
      json ? `${visibleJson(JSON.stringify(rows, null, 2))}\n` : `${rowsAsText(rows)}\n${rows.length} ${what}\n`,
    );
    return 0;
  },
};
