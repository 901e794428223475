import { protocolsNamed } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";

interface Options {
  vectors?: string;
  all?: true;
  json?: true;
}

export const selftest: CliCommand = {
  name: "selftest",
  summary: "show that the vectors expose implementations that are wrong on purpose",
  define(command) {
    command
      .argument("[protocol]", "a protocol, name@version, or all", "all")
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option("--all", "a line for each variant, not only for those that escape")
      .option("--json", "as a JSON array");
  },
  async run([name = "all"], given) {
    const { vectors, all = false, json = false } = given as Options;
    const { escapes, selftest: test } = await import("../../selftest/selftest.ts");
    const { rowsAsText } = await import("../table.ts");
    const rows = [];
    for (const protocol of protocolsNamed(name)) {
      for (const each of await test(protocol, vectors))
        rows.push({ protocol: protocol.name, ...each, escapes: escapes(each) });
    }
    const escaped = rows.filter((row) => row.escapes);
    if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    else {
      const shown = (all ? rows : escaped).map(({ protocol, variant, exposed, astray, conforms }) => ({
        protocol,
        variant,
        "is wrong": !conforms,
        "exposed by": exposed.length,
        "under another rule": astray.length,
        first: astray[0] ?? exposed[0] ?? "",
      }));
      const wrong = rows.filter(({ conforms }) => !conforms);
      const found = wrong.filter((row) => !row.escapes).length;
      process.stdout.write(
        `${shown.length === 0 ? "" : `${rowsAsText(shown)}\n`}${found} of ${wrong.length} wrong implementations are exposed, ${
          escaped.length - (wrong.length - found)
        } of ${rows.length - wrong.length} right ones are accused\n`,
      );
    }
    return escaped.length === 0 ? 0 : 1;
  },
};
