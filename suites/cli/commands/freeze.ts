import { join } from "node:path";
import { example, exitCodes, shownPath } from "../../../schemas/index.ts";
import type { TableRow } from "../../base/text/table.ts";
import { protocolsNamedBy } from "../../packs/pack/load.ts";
import type { PartCommand } from "../command.ts";
import { terminalWidth } from "../output/columns.ts";

const help = `
A certificate names profiles: lists of vectors and scenario rules, all of which must have been run. A frozen version never changes; what is
added to the set later is pending until the next version. The lists are in certification.json beside the profile of the protocol.

Examples:
  touchstone certify freeze --check              compare the frozen profiles with the present vectors
  touchstone certify freeze ./order              freeze the profiles of a pack of your own
  touchstone certify freeze ${example.protocol} --next         the next version, if there are new vectors`;

interface FreezeOptions {
  check?: true;
  next?: true;
}

export const freeze: PartCommand = {
  name: "freeze",
  summary: "freeze the lists of results that certificates need",
  define(command) {
    command
      .argument("[protocol]", "a protocol, name@version, all, or the folder of a pack (default: all)")
      .option("--next", "make the next version of profiles with pending members, or that no longer fit")
      .option("--check", "write nothing; fail if a profile is missing")
      .addHelpText("after", help);
  },
  async run([name = "all"], flags) {
    const { check = false, next = false } = flags as FreezeOptions;
    const { freezeProfiles } = await import("../../publishing/certify/freeze.ts");
    const { certificationFile } = await import("../../publishing/certify/profiles.ts");
    const { writeWhole } = await import("../../base/process/file-writer.ts");
    const { formatRows } = await import("../../base/text/table.ts");
    const rows: TableRow[] = [];
    const newStatus = check ? "lacking" : "new";
    for (const protocol of await protocolsNamedBy(name)) {
      const { file, frozen: frozenProfiles } = await freezeProfiles(protocol, { next });
      for (const { name: profile, version, results, pending, isNew } of frozenProfiles)
        rows.push({
          protocol: protocol.name,
          version: protocol.version,
          profile: `${profile}@${version}`,
          results,
          pending,
          is: isNew ? newStatus : "frozen",
        });
      if (check || !frozenProfiles.some(({ isNew }) => isNew)) continue;
      const path = join(protocol.folder, certificationFile);
      writeWhole(path, `${JSON.stringify(file, null, 2)}\n`);
      process.stderr.write(`${shownPath(path)} written\n`);
    }
    process.stdout.write(`${formatRows(rows, terminalWidth())}\n`);
    return rows.some(({ is }) => is === "lacking") ? exitCodes.violations : 0;
  },
};
