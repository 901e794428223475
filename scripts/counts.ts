import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  coverageOfRule,
  type DocumentVectors,
  home,
  type Manifest,
  type Protocol,
  protocolsNamed,
  type Vector,
  type Verdict,
  verdictOf,
  type Way,
  waysOf,
} from "../schemas/index.ts";
import { loadVectors, packOf } from "../suites/index.ts";
import { replaceMarked } from "./marked-part.ts";

/** A protocol with everything that the tables count. */
export interface CountedProtocol {
  protocol: Pick<Protocol, "name" | "version" | "profile" | "rules">;
  documents: Manifest["documents"];
  files: readonly DocumentVectors[];
  scenarios: readonly { name: string; rules: readonly string[] }[];
}

type CountColumn = [title: string, count: (counted: CountedProtocol) => number];

const withStatus = (statusName: string): CountColumn => [
  statusName,
  ({ protocol }) => protocol.rules.filter(({ status }) => statusName in status).length,
];
const withVerdict = (verdict: Verdict): CountColumn => [
  verdict,
  (counted) => vectorsOf(counted).filter((vector) => verdictOf(vector) === verdict).length,
];
/** A column of covered rules, by the first (most practical) way in which they are covered. */
const coveredBy = (title: string, ...ways: Way[]): CountColumn => [
  title,
  ({ protocol, files, scenarios }) =>
    protocol.rules.filter((rule) => {
      const [first] = waysOf(coverageOfRule(protocol.profile, rule, files, scenarios));
      return "covered" in rule.status && first !== undefined && ways.includes(first);
    }).length,
];
const overDocuments = (title: string, count: (document: Manifest["documents"][number]) => number): CountColumn => [
  title,
  ({ documents }) => documents.reduce((sum, document) => sum + count(document), 0),
];

const tables: CountColumn[][] = [
  [
    [
      "documents",
      ({ protocol }) => protocol.profile.documents.filter(({ role }) => !/^(record|trace)$/.test(role)).length,
    ],
    ["rules", ({ protocol }) => protocol.rules.length],
    withStatus("covered"),
    coveredBy("by a message", "message"),
    coveredBy("by a scenario", "scenario"),
    coveredBy("by a record or trace", "record", "trace"),
    ...["planned", "untested"].map(withStatus),
  ],
  [
    ["vectors", (counted) => vectorsOf(counted).length],
    ...(["valid", "invalid", "disputed"] as const).map(withVerdict),
    overDocuments("assertions", ({ sites }) => sites),
    overDocuments("isolated", ({ broken }) => broken),
    overDocuments("mutants", ({ forcing }) => forcing.mutants),
    overDocuments("killed twice", ({ forcing }) => forcing.twice),
    overDocuments("equivalent", ({ forcing }) => forcing.equivalent),
  ],
];

function vectorsOf({ files }: CountedProtocol): Vector[] {
  return files.flatMap(({ tests }) => tests);
}

/** The counts as two Markdown tables, with a row for each protocol and a row of totals. */
export function countsTables(protocols: readonly CountedProtocol[]): string {
  return tables.map((columns) => formatTable(columns, protocols)).join("\n\n");
}

function formatTable(columns: readonly CountColumn[], protocols: readonly CountedProtocol[]): string {
  const rows = protocols.map((counted) => columns.map(([, count]) => count(counted)));
  const totals = columns.map((_, column) => rows.reduce((sum, row) => sum + (row[column] as number), 0));
  const lines = [
    ["protocol", ...columns.map(([title]) => title)],
    ["---", ...columns.map(() => "--:")],
    ...protocols.map(({ protocol }, index) => [
      `\`${protocol.name}@${protocol.version}\``,
      ...(rows[index] as number[]),
    ]),
    ["all", ...totals],
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Replaces the tables between the two marks of a text. Throws if the marks are missing. */
export function withCounts(text: string, counts: string): string {
  return replaceMarked(text, "counts", counts);
}

/** The scenarios of a protocol, with a server and with an agent. */
async function scenariosOf(protocol: Protocol): Promise<CountedProtocol["scenarios"]> {
  const { scenarios, agent } = await packOf(protocol);
  return [...((await scenarios?.())?.scenarios ?? []), ...((await agent?.())?.agent.scenarios ?? [])];
}

/** The tables for the protocols of this repository. */
export async function ownCounts(): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(home, "vectors", "MANIFEST.json"), "utf8")) as Manifest;
  const counted = protocolsNamed("all").map(async (protocol) => ({
    protocol,
    documents: manifest.documents.filter((document) => document.protocol === protocol.name),
    files: loadVectors(protocol).files,
    scenarios: await scenariosOf(protocol),
  }));
  return countsTables(await Promise.all(counted));
}

const page = join(home, "suites", "guides", "counts.md");

/** Whether the page has the current counts. */
export async function isCurrent(): Promise<boolean> {
  const text = readFileSync(page, "utf8");
  return withCounts(text, await ownCounts()) === text;
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes("--write")) writeFileSync(page, withCounts(readFileSync(page, "utf8"), await ownCounts()));
  else if (!process.argv.includes("--check")) console.log(await ownCounts());
  else if (!(await isCurrent())) {
    console.error(
      "suites/guides/counts.md has counts that differ from MANIFEST.json and the rules: npx tsx scripts/counts.ts --write",
    );
    process.exitCode = 1;
  }
}
