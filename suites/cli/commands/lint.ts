import { Option } from "commander";
import {
  closest,
  exitCodes,
  type Json,
  type LoadedSchemas,
  loadSchemas,
  type Source,
  schemasMeant,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { saysDescription } from "../../openapi/named.ts";
import { cut, visible } from "../../text/escape.ts";
import type { CliCommand } from "../command.ts";
import { guarded, memoryHelp } from "../guarded.ts";
import { several, wholeNumber } from "../parse.ts";
import { progressOn } from "../progress.ts";

interface Options {
  ref?: string[];
  ignore?: string[];
  json?: true;
  deadline?: number;
  memory?: number;
  unguarded?: true;
  least?: true;
}

const help = `
What it tells is proven, or shown by an instance: schemas that nothing fulfils, assertions that refuse nothing, conditions that are met
without the member that they are about, assertions that count for nothing beside a $ref, names that are nearly keywords, patterns
without an anchor. All that is called redundant can be left out together.

Examples:
  touchstone lint order.schema.json
  touchstone lint protocol.schema.json#/definitions/Order
  touchstone lint openapi.yaml      the bodies, parameters and answers of each operation
  touchstone lint a.schema.json b.schema.json --ref common --json
  touchstone lint order.schema.json --ignore loose-pattern --ignore "redundant: #/properties/id/type"`;

interface Linted {
  findings: readonly { at: string; kind: string; why: string; example?: Json }[];
  /** Where the assertions stand that its author wrote. */
  sites: string[];
  source(location: string): Source | undefined;
}

export const lint: CliCommand = {
  define(command) {
    command
      .argument(
        "<schema...>",
        "schemas, JSON or YAML: FILE, FILE#/json/pointer for a part of one, or an OpenAPI or AsyncAPI document",
      )
      .option("--ref <path>", "a file or folder of schemas that they refer to (repeatable)", several(String))
      .option(
        "--ignore <finding>",
        'findings to leave out: a kind or one finding as it is printed, "KIND: #/json/pointer" (repeatable)',
        several(String),
      )
      .option("--json", "as a JSON array")
      .option("--deadline <seconds>", "when to stop (default: 300)", wholeNumber(1, 86_400))
      .option("--memory <mebibytes>", memoryHelp, wholeNumber(128, 1_048_576))
      .option("--unguarded", "in this process, which nothing stops")
      .addOption(new Option("--least").hideHelp())
      .addHelpText("after", help);
  },
  async run(named, given) {
    const { ref: refs = [], ignore = [], json, deadline = 300, memory, unguarded, least } = given as Options;
    if (unguarded !== true)
      return guarded({ seconds: deadline, least: true, ...(memory === undefined ? {} : { memory }) });
    const begun = performance.now();
    let stopped = least === true;
    const isLate = (): boolean => {
      stopped ||= performance.now() - begun > deadline * 900;
      return stopped;
    };
    const { compileModel, lint: findingsOf, lintKinds, sites } = await import("../../../generators/index.ts");
    const ignored = new Set(ignore.map((each) => ignoredBy(each, lintKinds)));
    const all: object[] = [];
    const lines: string[] = [];
    const told = new Set<string>();
    const progress = progressOn(process.stderr);
    const loaded = await loadedFrom(named, refs);
    const linted: Linted[] = [];
    for (const [index, { entry, schemas, source, notes, isWritten = () => true }] of loaded.entries()) {
      progress.show("looking for what is probably wrong", index, loaded.length);
      for (const note of notes) if (!told.has(note)) process.stderr.write(`${visible(note)}\n`);
      for (const note of notes) told.add(note);
      const model = await compileModel(schemas, entry);
      const findings = findingsOf(model, schemas, undefined, isLate, isWritten);
      const written = sites(model).flatMap(({ location }) => (isWritten(location) ? [location] : []));
      linted.push({ findings, sites: written, source });
    }
    const needed = neededIn(linted);
    for (const { findings, source } of linted)
      for (const finding of findings) {
        const place = source(finding.at);
        const where = placeOf(finding.at, source);
        // Operations of one description share schemas.
        const key = `${where} ${finding.kind}`;
        const what = `${finding.kind}: ${finding.at.slice(finding.at.indexOf("#"))}`;
        if (told.has(key) || ignored.has(finding.kind) || ignored.has(what)) continue;
        if (finding.kind === "redundant" && needed.has(where)) continue;
        told.add(key);
        all.push({ ...finding, ...(place === undefined ? {} : place) });
        const shown = finding.example === undefined ? "" : `; such as ${JSON.stringify(finding.example)}`;
        lines.push(`${place === undefined ? "" : `${where} `}${what} ${finding.why}${shown}`);
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

/** A kind of finding, or one finding as it is told. Throws a usage error for a kind that is not there. */
function ignoredBy(given: string, kinds: readonly string[]): string {
  const [, kind = given, at] = /^([^:]*):\s*(#.*)$/.exec(given) ?? [];
  if (!kinds.includes(kind))
    throw new TouchstoneError("usage", `there is no kind of finding "${kind}"`, {
      where: "--ignore",
      hint: `${closest(kind, kinds)}there are: ${kinds.join(", ")}`,
    });
  return at === undefined ? kind : `${kind}: ${at}`;
}

/** The places of assertions that are not redundant in each schema of which they are a part. */
function neededIn(linted: readonly Linted[]): Set<string> {
  return new Set(
    linted.flatMap(({ findings, sites, source }) => {
      const redundant = new Set(findings.flatMap(({ at, kind }) => (kind === "redundant" ? [at] : [])));
      return sites.filter((at) => !redundant.has(at)).map((at) => placeOf(at, source));
    }),
  );
}

function placeOf(at: string, source: Linted["source"]): string {
  const place = source(at);
  return place === undefined ? at : `${place.file}:${place.line}:${place.column}`;
}

interface Loaded extends LoadedSchemas {
  /** Whether its author wrote what is there (absent: all of it). */
  isWritten?(location: string): boolean;
}

/** The schemas that are named; those of the operations or messages where a file describes an interface. */
async function loadedFrom(named: readonly string[], refs: readonly string[]): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for (const each of named) {
    if (saysDescription(each)) {
      const { packFrom } = await import("../../openapi/index.ts");
      const { documents, ...about } = await packFrom(each, {});
      loaded.push(...documents.map(({ schema }) => ({ entry: String(schema.$id), schemas: [schema], ...about })));
      continue;
    }
    for (const schema of await schemasMeant(each))
      loaded.push(await loadSchemas({ schema, refs: [...refs], upgrade: true, lenient: true }));
  }
  return loaded;
}
