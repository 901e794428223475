import { protocolsNamedBy } from "../../packs/pack/load.ts";
import { terminalWidth } from "../output/columns.ts";
import { progressOn } from "../output/progress.ts";

/** Runs a vector set against each variant of the reference. The exit code is 0 if exactly the wrong variants fail. */
export async function testVectors(
  name: string,
  { vectors, all, json }: { vectors: string | undefined; all: boolean; json: boolean },
): Promise<number> {
  const { misjudged, selftest: runSelftest } = await import("../../running/selftest/selftest.ts");
  const { formatRows } = await import("../../base/text/table.ts");
  const rows = [];
  const progress = progressOn(process.stderr);
  for (const protocol of await protocolsNamedBy(name)) {
    const onVariant = (done: number, total: number): void => progress.show(protocol.name, done, total);
    for (const detection of await runSelftest(protocol, vectors, onVariant))
      rows.push({ protocol: protocol.name, ...detection, misjudged: misjudged(detection) });
  }
  progress.stop();
  const wronglyJudged = rows.filter((row) => row.misjudged);
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const shownRows = (all ? rows : wronglyJudged).map(({ protocol, variant, killedBy, falsePositives, conforms }) => ({
      protocol,
      variant,
      "is wrong": !conforms,
      "killed by": killedBy.length,
      "under another rule": falsePositives.length,
      first: falsePositives[0] ?? killedBy[0] ?? "",
    }));
    const wrongVariants = rows.filter(({ conforms }) => !conforms);
    const killedCount = wrongVariants.filter((row) => !row.misjudged).length;
    process.stdout.write(
      `${shownRows.length === 0 ? "" : `${formatRows(shownRows, terminalWidth())}\n`}${killedCount} of ${wrongVariants.length} mutant targets are killed, ${
        wronglyJudged.length - (wrongVariants.length - killedCount)
      } of ${rows.length - wrongVariants.length} right implementations fail (false positives)\n`,
    );
  }
  return wronglyJudged.length === 0 ? 0 : 1;
}
