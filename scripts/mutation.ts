import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Coverage, compileModel, coverageOf, subjectOf } from "../generators/index.ts";
import {
  type Document,
  home,
  type Manifest,
  type MutantCounts,
  type Protocol,
  protocolsNamed,
  type Vector,
  type VectorFile,
} from "../schemas/index.ts";
import { sampleDivisor, sampleOf } from "./vectors/sample.ts";

const folder = join(home, "vectors");
const manifest = read<Manifest>("MANIFEST.json");
const columns = [
  "mutants",
  "twice",
  "once",
  "equivalent",
  "notKilled",
] as const satisfies readonly (keyof MutantCounts)[];
const [protocolName = "all"] = process.argv.slice(2).filter((arg) => !arg.startsWith("-"));
/** Whether to measure only a sample of each protocol's documents. The digest of the set chooses the sample. */
const isSample = process.argv.includes("--sample");
const kinds: readonly string[] = ["valid", "invalid"];
const zeroCounts = { mutants: 0, twice: 0, once: 0, equivalent: 0, notKilled: 0 };
const total = { ...zeroCounts };
const countsByOperator = new Map<string, typeof zeroCounts>();
const worseDocuments: string[] = [];
console.log(row("document", "keyword", columns));
for (const protocol of protocolsNamed(protocolName)) {
  const standaloneDocuments = protocol.profile.documents.filter((document) => document.standalone);
  const documents = standaloneDocuments.filter((document) => promisesKills(protocol, document));
  if (documents.length < standaloneDocuments.length)
    console.log(
      `${protocol.name}: MANIFEST.json promises no kills for ${standaloneDocuments.length - documents.length} of ${standaloneDocuments.length} documents`,
    );
  for (const document of isSample ? sampledDocuments(documents) : documents) {
    const name = `${protocol.name} ${document.name}`;
    const { stated, found } = await measure(protocol, document);
    for (const [keyword, counts] of Object.entries(found.keywords))
      if (counts.mutants > 0) console.log(countsRow(name, keyword, counts));
    console.log(countsRow(name, "all", found));
    add(total, found);
    for (const [operator, counts] of Object.entries(found.operators)) {
      const sum = countsByOperator.get(operator) ?? { ...zeroCounts };
      countsByOperator.set(operator, sum);
      add(sum, counts);
    }
    const killsFewer = found.twice < stated.twice || found.twice + found.once < stated.twice + stated.once;
    // The set does not contain equivalent mutants of documents with only core vectors.
    const hasMoreEquivalents = document.kept !== "core" && found.equivalent > stated.equivalent;
    if (!killsFewer && !hasMoreEquivalents) continue;
    const describeCounts = ({ twice, once, equivalent }: Pick<MutantCounts, "twice" | "once" | "equivalent">): string =>
      `${twice} killed by two, ${once} by one, ${equivalent} equivalent`;
    worseDocuments.push(`${name}: ${describeCounts(found)}; MANIFEST.json says ${describeCounts(stated)}`);
  }
}
for (const [operator, counts] of [...countsByOperator].sort(([first], [second]) => (first < second ? -1 : 1)))
  console.log(countsRow("all", operator, counts));
console.log(countsRow("all", "", total));
for (const line of worseDocuments) console.error(line);
process.exitCode = worseDocuments.length > 0 ? 1 : 0;

/** Half as many documents as `vectors:check` samples, because Ajv is slower. */
function sampledDocuments(documents: readonly Document[]): Document[] {
  const sampledNames = new Set(
    sampleOf(
      documents.map(({ name }) => name),
      manifest.digest,
      2 * sampleDivisor,
    ),
  );
  return documents.filter(({ name }) => sampledNames.has(name));
}

/** Whether the manifest has figures for a document. A core set is made without mutants. */
function promisesKills({ name }: Protocol, document: Document): boolean {
  return manifest.documents.some(
    (figures) => figures.protocol === name && figures.document === document.name && figures.forcing.mutants > 0,
  );
}

function add(sum: typeof zeroCounts, counts: typeof zeroCounts): void {
  for (const column of columns) sum[column] += counts[column];
}

/** Counts the mutants that the published vectors kill, with Ajv as judge. Returns them with the figures in the manifest. */
async function measure(
  protocol: Protocol,
  document: Document,
): Promise<{ stated: Manifest["documents"][number]["forcing"]; found: Coverage }> {
  const entry = manifest.documents.find(
    (figures) => figures.protocol === protocol.name && figures.document === document.name,
  );
  if (entry === undefined) throw new Error(`MANIFEST.json does not list ${protocol.name} ${document.name}`);
  const vectorFiles = manifest.files.filter(
    (file) => file.protocol === protocol.name && file.document === document.name && kinds.includes(file.kind),
  );
  const tests = vectorFiles.flatMap(({ path }) =>
    // A vector that other rules may refuse has no certain verdict.
    read<VectorFile>(path).tests.flatMap(({ data, valid, beyond }: Vector) =>
      data === undefined || valid === undefined || beyond !== undefined ? [] : [{ data, valid }],
    ),
  );
  const { elsewhere } = subjectOf(
    { ...protocol, families: [] },
    document,
    await compileModel(protocol.schemas, document.schema),
  );
  const found = await coverageOf(protocol.schemas, document.schema, tests, { elsewhere, known: entry.forcing });
  return { stated: entry.forcing, found };
}

function countsRow(document: string, keyword: string, counts: typeof zeroCounts): string {
  return row(
    document,
    keyword,
    columns.map((column) => counts[column]),
  );
}

function row(document: string, keyword: string, cells: readonly (string | number)[]): string {
  return `${document.padEnd(44)}${keyword.padEnd(22)}${cells.map((cell) => String(cell).padStart(11)).join("")}`;
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8")) as T;
}
