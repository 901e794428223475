import { protocolsNamed } from "../../../schemas/index.ts";
import { terminalWidth } from "../output/columns.ts";
import { progressOn } from "../output/progress.ts";

/** Runs the vectors against correct implementations that use the freedoms of the specification. The exit code is 0 if none fails. */
export async function testTwins(
  name: string,
  { vectors, all, json }: { vectors: string | undefined; all: boolean; json: boolean },
): Promise<number> {
  const { twinTrials } = await import("../../running/selftest/twins.ts");
  const { formatRows } = await import("../../base/text/table.ts");
  const rows = [];
  const progress = progressOn(process.stderr);
  for (const [index, protocol] of protocolsNamed(name).entries()) {
    progress.show(protocol.name, index, protocolsNamed(name).length);
    for (const trial of await twinTrials(protocol, vectors)) rows.push({ protocol: protocol.name, ...trial });
  }
  progress.stop();
  const accusedTwins = rows.filter(({ accused }) => accused.length > 0);
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const shownRows = (all ? rows : accusedTwins).map(
      ({ protocol, twin, asked, accused: [firstAccusation, ...moreAccusations] }) => ({
        protocol,
        "right implementation": twin,
        vectors: asked,
        "false positives": firstAccusation === undefined ? 0 : moreAccusations.length + 1,
        first: firstAccusation === undefined ? "" : `${firstAccusation.id}: ${firstAccusation.why}`,
      }),
    );
    process.stdout.write(
      `${shownRows.length === 0 ? "" : `${formatRows(shownRows, terminalWidth())}\n`}${accusedTwins.length} of ${rows.length} right implementations fail (false positives)\n`,
    );
  }
  return rows.length > 0 && accusedTwins.length === 0 ? 0 : 1;
}
