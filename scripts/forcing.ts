import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileModel, kills, mutants, subjectOf } from "../generators/index.ts";
import {
  type Document,
  type Forcing,
  home,
  type Manifest,
  type Protocol,
  protocolsNamed,
  type Vector,
  type VectorFile,
} from "../schemas/index.ts";

const folder = join(home, "vectors");
const manifest = read<Manifest>("MANIFEST.json");
const wanted = process.argv[2] ?? "all";
let worse = 0;
const total = { mutants: 0, twice: 0, once: 0, equivalent: 0, open: 0 };
console.log(row(["document", "keyword", "mutants", "twice", "once", "equivalent", "not forced"]));
for (const protocol of protocolsNamed(wanted)) {
  for (const document of protocol.profile.documents.filter((each) => each.standalone))
    await measure(protocol, document);
}
console.log(row(["all", "", total.mutants, total.twice, total.once, total.equivalent, total.open]));
if (worse > 0) console.error(`${worse} documents are forced less than MANIFEST.json says`);
process.exitCode = worse > 0 ? 1 : 0;

/** Judges every mutant by Ajv, compiled from the mutated schemas, over the published vectors, and compares with the manifest. */
async function measure(protocol: Protocol, document: Document): Promise<void> {
  const stated = manifest.documents.find((each) => each.protocol === protocol.name && each.document === document.name)
    ?.forcing as Forcing;
  const model = await compileModel(protocol.schemas, document.schema);
  const vectors = ["valid", "invalid"].flatMap(
    (kind): Vector[] => read<VectorFile>(`${protocol.name}/${protocol.version}/${document.name}/${kind}.json`).tests,
  );
  const counts = new Map<string, { mutants: number; twice: number; once: number; none: number }>();
  for (const mutant of mutants(model, protocol.schemas, subjectOf(protocol, document, model).elsewhere)) {
    const found = kills(protocol.schemas, document.schema, mutant, vectors);
    const count = counts.get(mutant.keyword) ?? { mutants: 0, twice: 0, once: 0, none: 0 };
    count.mutants += 1;
    count[found === 2 ? "twice" : found === 1 ? "once" : "none"] += 1;
    counts.set(mutant.keyword, count);
  }
  const sum = { mutants: 0, twice: 0, once: 0, none: 0 };
  for (const [keyword, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += count[key];
    // What no vector tells apart is proven equivalent, or stands in the manifest with its reason.
    const equivalent = stated.keywords[keyword]?.equivalent ?? 0;
    console.log(
      row([
        `${protocol.name} ${document.name}`,
        keyword,
        count.mutants,
        count.twice,
        count.once,
        equivalent,
        count.none - equivalent,
      ]),
    );
  }
  const open = sum.none - stated.equivalent;
  console.log(
    row([`${protocol.name} ${document.name}`, "all", sum.mutants, sum.twice, sum.once, stated.equivalent, open]),
  );
  total.mutants += sum.mutants;
  total.twice += sum.twice;
  total.once += sum.once;
  total.equivalent += stated.equivalent;
  total.open += open;
  if (sum.twice < stated.twice || sum.twice + sum.once < stated.twice + stated.once) worse += 1;
}

function row(cells: (string | number)[]): string {
  return cells
    .map((cell, index) => (index < 2 ? String(cell).padEnd(index === 0 ? 44 : 22) : String(cell).padStart(11)))
    .join("");
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8")) as T;
}
