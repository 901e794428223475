import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Argument } from "commander";
import { type Protocol, protocolsNamed, type Report, type Rule, TouchstoneError } from "../../../schemas/index.ts";
import type { Source } from "../../reports/merge.ts";
import { partOnly } from "../../results/whole.ts";
import { visible, visibleJson } from "../../text/escape.ts";
import type { CliCommand } from "../command.ts";
import { several } from "../parse.ts";

interface Options {
  report?: string[];
  vectors?: string;
  json?: true;
  site?: string;
  key?: string[];
}

/** What each option goes with. */
const places: Readonly<Record<keyof Options, readonly string[]>> = {
  report: ["render", "merge"],
  vectors: ["merge"],
  json: ["diff"],
  site: ["render"],
  key: ["render"],
};

export const report: CliCommand = {
  define(command) {
    command
      .addArgument(new Argument("<what>", "what to do, see below").choices(["render", "merge", "diff"]))
      .argument("<file...>", "reports as JSON or JSON lines; - reads standard input")
      .option(
        "--report <format[=file]>",
        "render, merge: a format, see `run --help`; to standard output without a file (repeatable)",
        several((given: string) => given),
      )
      .option("--vectors <dir>", "merge: the vector set of the run, if it is not the built-in one")
      .option("--json", "diff: as JSON")
      .option("--site <dir>", "render: a site of pages and badges in this folder, of reports and certificates")
      .option(
        "--key <file>",
        "render --site: a public key whose certificates the site calls certified (repeatable)",
        several((given: string) => given),
      )
      .addHelpText(
        "after",
        `
  render FILE...    writes reports in other formats, also one that broke off; ends with 0
  render --site DIR FILE...
                    writes a static site of implementations and their releases; FILE is a certificate, or a report, of which
                    NAME@RELEASE=FILE says what it is of
  merge FILE...     makes one report of those of all shards; ends with the code of the whole
  diff OLD NEW      what fails anew, what is fixed, what still fails; ends with 1 if something fails that did not, or is not shown`,
      );
  },
  async run([what = "", ...files], given) {
    const options = given as Options;
    refuseMisplaced(what, options);
    if (options.site !== undefined) return site(options.site, files, options);
    const { readReport } = await import("../../reports/index.ts");
    const sources: Source[] = [];
    for (const file of files) sources.push({ file, report: await readReport(textOf(file), file) });
    return what === "diff"
      ? diff(sources, options)
      : what === "merge"
        ? merged(sources, options)
        : rendered(sources, options);
  },
};

function refuseMisplaced(what: string, options: Options): void {
  for (const option of Object.keys(options) as (keyof Options)[]) {
    if (places[option].includes(what)) continue;
    throw new TouchstoneError("usage", `--${option} goes only with ${places[option].join(" and ")}`, {
      hint: option === "json" ? "give --report json instead" : `leave it out: this is ${what}`,
    });
  }
}

async function rendered(sources: readonly Source[], { report: wanted = [] }: Options): Promise<number> {
  const { deliver, sinksOf } = await import("../sinks.ts");
  const { combine } = await import("../../reports/index.ts");
  const whole = combine(sources.map((source) => source.report) as [Report, ...Report[]]);
  return deliver(whole, await rulesOf([whole]), sinksOf(wanted), false, 0);
}

/** A report that is given as NAME@RELEASE=FILE, unless there is a file of that whole name. */
const named = /^([^=@]+)@([^=@]+)=(.+)$/s;

async function site(
  folder: string,
  files: readonly string[],
  { report: wanted, key: keys = [] }: Options,
): Promise<number> {
  if (wanted !== undefined)
    throw new TouchstoneError("usage", "--site and --report at once", { hint: "call report render twice" });
  const { keyId, publicKey } = await import("../../certify/key.ts");
  const { entryOf, siteOf, writeSite } = await import("../../site/index.ts");
  const trusted = new Set(keys.map((file) => keyId(publicKey(file))));
  const known = (name: string, version: string): Protocol | undefined =>
    protocolsNamed("all").find((each) => each.name === name && each.version === version);
  const entries = [];
  for (const given of files) {
    const [, name, release, path] = existsSync(given) ? [] : (named.exec(given) ?? []);
    const file = path ?? given;
    const of = name === undefined || release === undefined ? {} : { implementation: { name, release } };
    entries.push(await entryOf(textOf(file), file, { trusted, known, ...of }));
  }
  const pages = siteOf(entries, await rulesOf(entries.map((entry) => entry.report)));
  writeSite(folder, pages);
  process.stdout.write(`${visible(join(folder, "index.html"))} and ${pages.size - 1} other files written\n`);
  return 0;
}

async function merged(sources: readonly Source[], { report: wanted = [], vectors }: Options): Promise<number> {
  const { deliver, sinksOf } = await import("../sinks.ts");
  const { merge } = await import("../../reports/index.ts");
  const whole = merge(sources, await placesIn(sources, vectors));
  return deliver(whole, await rulesOf([whole]), sinksOf(wanted), false);
}

async function diff(sources: readonly Source[], { json }: Options): Promise<number> {
  const [before, now, ...others] = sources;
  if (before === undefined || now === undefined || others.length > 0) {
    throw new TouchstoneError("usage", `${sources.length} reports, and a difference is one of two`, {
      hint: "touchstone report diff OLD NEW",
    });
  }
  const { compare, differenceInWords } = await import("../../reports/index.ts");
  const difference = compare(before.report, now.report);
  if (difference.common === 0) {
    throw new TouchstoneError("usage", `no result is in both: ${contentOf(before)}, ${contentOf(now)}`, {
      hint: "give two reports of the same protocol and version, and of the same part of it",
    });
  }
  const text =
    json === true
      ? `${visibleJson(JSON.stringify(difference, null, 2))}\n`
      : differenceInWords(difference, await rulesOf([before.report, now.report]));
  process.stdout.write(text);
  return difference.exitCode;
}

function contentOf({ file, report }: Source): string {
  const names = report.runs.map(({ protocol, version }) => `${protocol} ${version}`);
  const part = names.length === 0 ? undefined : partOnly(report);
  return `${file} is of ${names.join(" and ") || "nothing"}${part === undefined ? "" : ` (${part})`}`;
}

/** The rules of the protocols that are known here; of others a report has the ids. */
async function rulesOf(reports: readonly Report[]): Promise<Rule[]> {
  const { protocolsIn } = await import("../packs.ts");
  return (await protocolsIn(reports)).flatMap((protocol: Protocol) => protocol.rules);
}

/** Where vectors stand in the set that a run was made on, if it is at hand. */
async function placesIn(
  sources: readonly Source[],
  folder: string | undefined,
): Promise<import("../../reports/merge.ts").PlaceInSet> {
  const { protocolsIn } = await import("../packs.ts");
  const own = await protocolsIn(sources.map(({ report }) => report));
  const { loadVectors } = await import("../../corpus/index.ts");
  const sets = new Map<string, Map<string, number>>();
  return ({ protocol, version, set }, id) => {
    let places = sets.get(`${protocol}@${version}`);
    if (places === undefined) {
      const known = own.find((each) => each.name === protocol && each.version === version);
      const there = loadVectors(known ?? { name: protocol, version }, folder);
      const ids =
        there.digest === set.digest ? there.files.flatMap(({ tests }) => tests.map((vector) => vector.id)) : [];
      places = new Map(ids.map((each, index) => [each, index]));
      sets.set(`${protocol}@${version}`, places);
    }
    return places.get(id);
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TouchstoneError(
      "usage",
      code === "ENOENT" ? `there is no file "${file}"` : `"${file}" cannot be read (${code})`,
      { hint: "give a file that --report json=FILE or --report jsonl=FILE has written", cause },
    );
  }
}
