import { example, protocolsNamed, TouchstoneError } from "../../../schemas/index.ts";
import { protocolsMeant } from "../../pack/load.ts";
import { columns } from "../columns.ts";
import type { CliCommand } from "../command.ts";
import { wholeNumber } from "../parse.ts";
import { progressOn } from "../progress.ts";

interface Options {
  vectors?: string;
  all?: true;
  json?: true;
  scenarios?: true;
  twins?: true;
  seed?: number;
}

const help = `
Examples:
  touchstone selftest ${example.protocol}                    its vectors against each wrong implementation
  touchstone selftest ./order --all          those of a pack, a line for each variant
  touchstone selftest ${example.protocol} --scenarios        its scenarios against servers that break a rule: minutes`;

export const selftest: CliCommand = {
  define(command) {
    command
      .argument("[protocol]", "a protocol, name@version, all, or the folder of a pack", "all")
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option("--all", "a line for each variant, not only for those that survive")
      .option(
        "--scenarios",
        "every scenario against every server that breaks a rule, instead of vectors; takes minutes",
      )
      .option("--twins", "right implementations instead of wrong ones: none may fail")
      .option("--seed <n>", "what scenarios draw from (default: 1)", wholeNumber(0, 0xffffffff))
      .option("--json", "as a JSON array")
      .addHelpText("after", help);
  },
  async run([name = "all"], given) {
    const { vectors, all = false, json = false, scenarios = false, twins = false, seed = 1 } = given as Options;
    if (twins) return overTwins(name, { vectors, all, json });
    if (scenarios) return overScenarios(name, { all, json, seed });
    const { misjudged, selftest: test } = await import("../../selftest/selftest.ts");
    const { rowsAsText } = await import("../../text/table.ts");
    const rows = [];
    const progress = progressOn(process.stderr);
    for (const protocol of await protocolsMeant(name)) {
      const onVariant = (done: number, total: number): void => progress.show(protocol.name, done, total);
      for (const each of await test(protocol, vectors, onVariant))
        rows.push({ protocol: protocol.name, ...each, misjudged: misjudged(each) });
    }
    progress.stop();
    const wronglyJudged = rows.filter((row) => row.misjudged);
    if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    else {
      const shown = (all ? rows : wronglyJudged).map(({ protocol, variant, killedBy, falsePositives, conforms }) => ({
        protocol,
        variant,
        "is wrong": !conforms,
        "killed by": killedBy.length,
        "under another rule": falsePositives.length,
        first: falsePositives[0] ?? killedBy[0] ?? "",
      }));
      const wrong = rows.filter(({ conforms }) => !conforms);
      const found = wrong.filter((row) => !row.misjudged).length;
      process.stdout.write(
        `${shown.length === 0 ? "" : `${rowsAsText(shown, columns())}\n`}${found} of ${wrong.length} mutant targets are killed, ${
          wronglyJudged.length - (wrong.length - found)
        } of ${rows.length - wrong.length} right implementations fail (false positives)\n`,
      );
    }
    return wronglyJudged.length === 0 ? 0 : 1;
  },
};

/** The same with scenarios: what each server that breaks a rule is accused of. */
async function overScenarios(
  name: string,
  { all, json, seed }: { all: boolean; json: boolean; seed: number },
): Promise<number> {
  const { packOf } = await import("../../pack/load.ts");
  const { playable } = await import("../../scenarios/selftest.ts");
  const { triedAll } = await import("../../selftest/trials.ts");
  const { rowsAsText } = await import("../../text/table.ts");
  const rows = [];
  let isWithoutLive = false;
  const progress = progressOn(process.stderr);
  for (const protocol of protocolsNamed(name)) {
    const pack = await packOf(protocol);
    if (pack.scenarios !== undefined && pack.live === undefined) isWithoutLive = true;
    if (pack.scenarios === undefined || pack.live === undefined) continue;
    const [{ scenarios }, { live }] = await Promise.all([pack.scenarios(), pack.live()]);
    const onTried = (done: number, total: number): void => progress.show(protocol.name, done, total);
    progress.show(protocol.name);
    rows.push(...(await triedAll(protocol, playable(live, scenarios), seed, onTried)));
  }
  progress.stop();
  if (rows.length === 0)
    throw isWithoutLive
      ? new TouchstoneError(
          "usage",
          `there are scenarios for ${name}, and no server to play them against that breaks a rule`,
          {
            hint: "a pack has one as its part `live`: suites/pack/README.md, What else a pack may have",
          },
        )
      : new TouchstoneError("usage", `there are no scenarios for ${name}`, {
          hint: `name a protocol that has some, such as ${example.protocol}`,
        });
  const wronglyJudged = rows.filter(({ killed, falsePositives }) => !killed || falsePositives.length > 0);
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const shown = (all ? rows : wronglyJudged).map(({ variant, killed, falsePositives }) => ({
      variant,
      killed,
      "false positives": falsePositives.join(" "),
    }));
    const table = shown.length === 0 ? "" : `${rowsAsText(shown, columns())}\n`;
    const found = rows.filter(({ killed }) => killed).length;
    const wrongly = rows.filter(({ falsePositives }) => falsePositives.length > 0).length;
    process.stdout.write(
      `${table}${found} of ${rows.length} mutant servers are killed, ${wrongly} fail other rules as well (false positives)\n`,
    );
  }
  return wronglyJudged.length === 0 ? 0 : 1;
}

/** What the vectors say of right implementations, by the freedoms that these use. */
async function overTwins(
  name: string,
  { vectors, all, json }: { vectors: string | undefined; all: boolean; json: boolean },
): Promise<number> {
  const { twinTrials } = await import("../../selftest/twins.ts");
  const { rowsAsText } = await import("../../text/table.ts");
  const rows = [];
  const progress = progressOn(process.stderr);
  for (const [index, protocol] of protocolsNamed(name).entries()) {
    progress.show(protocol.name, index, protocolsNamed(name).length);
    for (const trial of await twinTrials(protocol, vectors)) rows.push({ protocol: protocol.name, ...trial });
  }
  progress.stop();
  const wrong = rows.filter(({ accused }) => accused.length > 0);
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const shown = (all ? rows : wrong).map(({ protocol, twin, asked, accused: [first, ...more] }) => ({
      protocol,
      "right implementation": twin,
      vectors: asked,
      "false positives": first === undefined ? 0 : more.length + 1,
      first: first === undefined ? "" : `${first.id}: ${first.why}`,
    }));
    process.stdout.write(
      `${shown.length === 0 ? "" : `${rowsAsText(shown, columns())}\n`}${wrong.length} of ${rows.length} right implementations fail (false positives)\n`,
    );
  }
  return rows.length > 0 && wrong.length === 0 ? 0 : 1;
}
