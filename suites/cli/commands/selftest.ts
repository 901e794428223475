import { example } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";
import { wholeNumber } from "../options/parsers.ts";
import { createInterruption } from "../process/interruption.ts";

interface SelftestOptions {
  vectors?: string;
  all?: true;
  json?: true;
  scenarios?: true;
  twins?: true;
  population?: number;
  earned?: true;
  sample?: number;
  journal?: string;
  seed?: number;
}

const help = `
Examples:
  touchstone selftest ${example.protocol}                    its vectors against each wrong implementation
  touchstone selftest ./order --all          those of a pack, a line for each variant
  touchstone selftest ${example.protocol} --scenarios        its scenarios against servers that break a rule: minutes
  touchstone selftest ${example.protocol} --population 200   its scenarios against right parties drawn at random: none may be accused
  touchstone selftest ${example.protocol} --earned --journal earned.jsonl    each broken party with fewer hooks and other tempos; can be stopped and resumed`;

export const selftest: CliCommand = {
  define(command) {
    command
      .argument("[protocol]", "a protocol, name@version, all, or the folder of a pack", "all")
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option("--all", "one line for each variant, not only for the surviving ones")
      .option("--scenarios", "play every scenario against every rule-breaking server instead of vectors; takes minutes")
      .option("--twins", "test correct implementations instead of wrong ones: none may fail")
      .option(
        "--population <n>",
        "this many correct parties, each a random draw of all freedoms at once",
        wholeNumber(1, 1e6),
      )
      .option(
        "--earned",
        "every rule-breaking party with every set of hooks and every tempo: its rule may never conform",
      )
      .option(
        "--sample <n>",
        "number of cells with --earned, or of each party's scenarios with --population, drawn by the seed (default: all)",
        wholeNumber(1, 1e6),
      )
      .option("--journal <file>", "with --population or --earned: store each result in this file, and continue from it")
      .option("--seed <n>", "the seed of scenarios and draws (default: 1)", wholeNumber(0, 0x7fffffff))
      .option("--json", "as a JSON array")
      .addHelpText("after", help);
  },
  async run([name = "all"], flags) {
    const {
      vectors,
      all: showAll = false,
      json = false,
      seed = 1,
      sample,
      journal,
      ...modes
    } = flags as SelftestOptions;
    if (modes.twins) return (await import("../selftest/twins.ts")).testTwins(name, { vectors, all: showAll, json });
    if (modes.scenarios)
      return (await import("../selftest/scenarios.ts")).testScenarios(name, { all: showAll, json, seed });
    if (modes.population === undefined && modes.earned === undefined)
      return (await import("../selftest/vectors.ts")).testVectors(name, { vectors, all: showAll, json });
    const { signal, end } = createInterruption();
    const options = { all: showAll, json, seed, journal, signal };
    try {
      if (modes.population === undefined)
        return await (await import("../selftest/earned.ts")).testEarned(name, { ...options, sample });
      const { testPopulation } = await import("../selftest/population.ts");
      return await testPopulation(name, { ...options, count: modes.population, sample });
    } finally {
      end();
    }
  },
};
