import { example, nearestName, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";

const help = `
Examples:
  touchstone explain ${example.rule}                                     a rule: its demand, its clause, its tests
  touchstone explain ${example.vector}          a vector: its fault, and the rule about it
  touchstone explain ${example.scenario}            a scenario: its steps, and its rules
  touchstone explain order.schema.json:6:47               an assertion of your schema: its meaning, and its vectors
`;

export const explain: CliCommand = {
  define(command) {
    command
      .argument(
        "<name>",
        "id of a rule, a vector or a scenario, or an assertion, as reports show it; or the name of a reading",
      )
      .option("--protocol <name>", "only this protocol, or the pack in this folder")
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option(
        "--config <file>",
        "the configuration that names the pack to search (default: touchstone.config.json or .yaml)",
      )
      .addHelpText("after", help);
  },
  async run([name = ""], flags) {
    const { protocol: protocolName, vectors, config } = flags as { [K in "protocol" | "vectors" | "config"]?: string };
    const { explainName, namesOf } = await import("../../reports/explain/index.ts");
    const { escapeInvisible } = await import("../../base/text/escape.ts");
    const { renameProgram } = await import("../../base/text/program.ts");
    const { availableProtocols } = await import("../sources/protocols.ts");
    const searchedProtocols: Protocol[] = [];
    for await (const protocol of availableProtocols({ named: protocolName, config })) {
      const lines = await explainName(protocol, name, vectors);
      if (lines === undefined) {
        searchedProtocols.push(protocol);
        continue;
      }
      process.stdout.write(`${lines.map((line) => renameProgram(escapeInvisible(line))).join("\n")}\n`);
      return 0;
    }
    // All vectors are read only if the name is unknown.
    const names = (await Promise.all(searchedProtocols.map((protocol) => namesOf(protocol, vectors)))).flat();
    throw new TouchstoneError("usage", `no rule, assertion, vector, scenario or reading has the name "${name}"`, {
      hint: `${suggestIds(name, names)}${protocolName === undefined ? "to search an API description or your own pack, add --protocol PATH; " : ""}touchstone list rules and touchstone list vectors list them all`,
    });
  },
};

/** Suggests the scenarios with names that begin like this, or otherwise the most similar name. */
function suggestIds(name: string, names: readonly string[]): string {
  const [firstName, ...otherNames] = names.filter(
    (candidate) => name !== "" && candidate.includes(`/scenarios/${name}`),
  );
  if (firstName === undefined) return nearestName(name, names);
  const shownNames = [firstName, ...otherNames]
    .slice(0, 10)
    .map((scenarioId) => scenarioId.slice(scenarioId.lastIndexOf("/") + 1));
  return `scenarios that begin with it: ${shownNames.join(", ")}${otherNames.length >= 10 ? ", …" : ""}; `;
}
