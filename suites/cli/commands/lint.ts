import { Option } from "commander";
import { exitCodes, type LoadedSchemas, loadSchemas, schemasMeant } from "../../../schemas/index.ts";
import { saysDescription } from "../../openapi/named.ts";
import { cut, visible } from "../../text/escape.ts";
import type { CliCommand } from "../command.ts";
import { guarded, memoryHelp } from "../guarded.ts";
import { several, wholeNumber } from "../parse.ts";
import { progressOn } from "../progress.ts";

interface Options {
  ref?: string[];
  json?: true;
  deadline?: number;
  memory?: number;
  unguarded?: true;
  least?: true;
}

const help = `
What it tells is proven, or shown by an instance: schemas that nothing fulfils, assertions that refuse nothing, conditions that are met
without the member that they are about, assertions that count for nothing beside a $ref, names that are nearly keywords, patterns
without an anchor.

Examples:
  touchstone lint order.schema.json
  touchstone lint protocol.schema.json#/definitions/Order
  touchstone lint openapi.yaml      the bodies, parameters and answers of each operation
  touchstone lint a.schema.json b.schema.json --ref common --json`;

export const lint: CliCommand = {
  define(command) {
    command
      .argument(
        "<schema...>",
        "schemas, JSON or YAML: FILE, FILE#/json/pointer for a part of one, or an OpenAPI or AsyncAPI document",
      )
      .option("--ref <path>", "a file or folder of schemas that they refer to (repeatable)", several(String))
      .option("--json", "as a JSON array")
      .option("--deadline <seconds>", "when to stop (default: 300)", wholeNumber(1, 86_400))
      .option("--memory <mebibytes>", memoryHelp, wholeNumber(128, 1_048_576))
      .option("--unguarded", "in this process, which nothing stops")
      .addOption(new Option("--least").hideHelp())
      .addHelpText("after", help);
  },
  async run(named, given) {
    const { ref: refs = [], json, deadline = 300, memory, unguarded, least } = given as Options;
    if (unguarded !== true)
      return guarded({ seconds: deadline, least: true, ...(memory === undefined ? {} : { memory }) });
    const begun = performance.now();
    let stopped = least === true;
    const isLate = (): boolean => {
      stopped ||= performance.now() - begun > deadline * 900;
      return stopped;
    };
    const { compileModel, lint: findingsOf } = await import("../../../generators/index.ts");
    const all: object[] = [];
    const lines: string[] = [];
    const told = new Set<string>();
    const progress = progressOn(process.stderr);
    const loaded = await loadedFrom(named, refs);
    for (const [index, { entry, schemas, source, notes }] of loaded.entries()) {
      progress.show("looking for what is probably wrong", index, loaded.length);
      for (const note of notes) if (!told.has(note)) process.stderr.write(`${visible(note)}\n`);
      for (const note of notes) told.add(note);
      for (const finding of findingsOf(await compileModel(schemas, entry), schemas, undefined, isLate)) {
        const place = source(finding.at);
        // Operations of one description share schemas.
        const key = `${place === undefined ? finding.at : `${place.file}:${place.line}:${place.column}`} ${finding.kind}`;
        if (told.has(key)) continue;
        told.add(key);
        all.push({ ...finding, ...(place === undefined ? {} : place) });
        const where = place === undefined ? "" : `${place.file}:${place.line}:${place.column} `;
        const shown = finding.example === undefined ? "" : `; such as ${JSON.stringify(finding.example)}`;
        lines.push(`${where}${finding.kind}: ${finding.at.slice(finding.at.indexOf("#"))} ${finding.why}${shown}`);
      }
    }
    progress.stop();
    process.stdout.write(
      json === true
        ? `${JSON.stringify(all, null, 2)}\n`
        : `${[...lines, all.length === 0 ? "Nothing odd was found." : `${all.length} ${all.length === 1 ? "place" : "places"} to look at.`].map((line) => cut(visible(line), 500)).join("\n")}\n`,
    );
    if (stopped) process.stderr.write("This is not all: the time was over. Give it longer with --deadline.\n");
    return all.length > 0 || stopped ? exitCodes.violations : 0;
  },
};

/** The schemas that are named; those of the operations or messages where a file describes an interface. */
async function loadedFrom(named: readonly string[], refs: readonly string[]): Promise<LoadedSchemas[]> {
  const loaded: LoadedSchemas[] = [];
  for (const each of named) {
    if (saysDescription(each)) {
      const { packFrom } = await import("../../openapi/index.ts");
      const { documents, source, notes } = await packFrom(each, {});
      loaded.push(...documents.map(({ schema }) => ({ entry: String(schema.$id), schemas: [schema], source, notes })));
      continue;
    }
    for (const schema of await schemasMeant(each))
      loaded.push(await loadSchemas({ schema, refs: [...refs], upgrade: true, lenient: true }));
  }
  return loaded;
}
