import { example, protocolsNamed, TouchstoneError } from "../../../schemas/index.ts";
import { terminalWidth } from "../output/columns.ts";
import { progressOn } from "../output/progress.ts";

/** Plays scenarios against servers that each break one rule. The exit code is 0 if each scenario run reports that rule and no other. */
export async function testScenarios(
  name: string,
  { all, json, seed }: { all: boolean; json: boolean; seed: number },
): Promise<number> {
  const { packOf } = await import("../../packs/pack/load.ts");
  const { playableVariants } = await import("../../running/scenarios/selftest.ts");
  const { tryAll } = await import("../../running/selftest/trials.ts");
  const { formatRows } = await import("../../base/text/table.ts");
  const rows = [];
  let lacksLiveReference = false;
  const progress = progressOn(process.stderr);
  for (const protocol of protocolsNamed(name)) {
    const pack = await packOf(protocol);
    if (pack.scenarios !== undefined && pack.live === undefined) lacksLiveReference = true;
    if (pack.scenarios === undefined || pack.live === undefined) continue;
    const [{ scenarios }, { live }] = await Promise.all([pack.scenarios(), pack.live()]);
    const onTried = (done: number, total: number): void => progress.show(protocol.name, done, total);
    progress.show(protocol.name);
    rows.push(...(await tryAll(protocol, playableVariants(live, scenarios), seed, onTried)));
  }
  progress.stop();
  if (rows.length === 0)
    throw lacksLiveReference
      ? new TouchstoneError(
          "usage",
          `there are scenarios for ${name}, but no rule-breaking servers to run them against`,
          {
            hint: "a pack has one as its part `live`: suites/packs/pack/README.md, What else a pack may have",
          },
        )
      : new TouchstoneError("usage", `there are no scenarios for ${name}`, {
          hint: `name a protocol that has some, such as ${example.protocol}`,
        });
  const wronglyJudged = rows.filter(({ killed, falsePositives }) => !killed || falsePositives.length > 0);
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const shownRows = (all ? rows : wronglyJudged).map(({ variant, killed, falsePositives }) => ({
      variant,
      killed,
      "false positives": falsePositives.join(" "),
    }));
    const table = shownRows.length === 0 ? "" : `${formatRows(shownRows, terminalWidth())}\n`;
    const killedCount = rows.filter(({ killed }) => killed).length;
    const accusedCount = rows.filter(({ falsePositives }) => falsePositives.length > 0).length;
    process.stdout.write(
      `${table}${killedCount} of ${rows.length} mutant servers are killed, ${accusedCount} fail other rules as well (false positives)\n`,
    );
  }
  return wronglyJudged.length === 0 ? 0 : 1;
}
