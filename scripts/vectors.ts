import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { type Built, joined, oracleFor } from "../generators/index.ts";
import { formerIds, home, type Json, ownSchemas, protocolsNamed } from "../schemas/index.ts";
import type { Part } from "./vectors/part.ts";

const folder = join(home, "vectors");
const protocols = protocolsNamed("all");
const started = process.hrtime.bigint();
const seconds = () => `${(Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000).toFixed(1)} s`;

/** Ids that vectors had once, with today's. */
const aliases = "aliases.json";
const checked = process.argv.includes("--check");
/** Those that are named are made anew, and of the others what is there stands; all without a name. */
const named = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const parts = new Map<string, Part>();
// The largest first, so that none is left to one core at the end.
const sizes = new Map(protocols.map(({ name, schemas }) => [name, JSON.stringify(schemas).length]));
const queue = [...sizes.keys()]
  .filter((name) => named.length === 0 || named.includes(name))
  .sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), 8) }, async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) parts.set(name, await made(name));
  }),
);
const built = joined(protocols.map(({ name }) => (parts.has(name) ? builtOf(parts.get(name) as Part) : there(name))));
built.texts.set(aliases, `${JSON.stringify(formerIds(), null, 2)}\n`);
if (checked) process.exitCode = (await check()) ? 0 : 1;
else write();
console.log(
  `${built.manifest.count} vectors in ${built.manifest.files.length} files, ${built.manifest.digest}, ${seconds()}`,
);

function write(): void {
  for (const { name } of protocols) rmSync(join(folder, name), { recursive: true, force: true });
  for (const [path, text] of built.texts) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The files are what the generator makes, obey their format, and every vector obeys the laws. */
async function check(): Promise<boolean> {
  const complaints = [...sameBytes(), ...(await formatHolds())];
  for (const { name } of protocols) complaints.push(...(parts.get(name)?.complaints ?? []));
  for (const complaint of complaints.slice(0, 50)) console.error(`✗ ${complaint}`);
  if (complaints.length > 50) console.error(`… and ${complaints.length - 50} more`);
  console.error(
    complaints.length === 0
      ? "The set is what the generator makes, and every vector obeys the laws."
      : `${complaints.length} complaints.`,
  );
  return complaints.length === 0;
}

function* sameBytes(): Generator<string> {
  for (const [path, text] of built.texts) {
    const file = join(folder, path);
    if (!existsSync(file)) yield `${path} is missing: run npm run vectors`;
    else if (readFileSync(file, "utf8") !== text)
      yield `${path} is not what the generator makes: run npm run vectors, and note the change in CHANGELOG.md`;
  }
  for (const path of filesBelow(folder)) {
    if (/^[^/]+\/[^/]+\/.*\.json$/.test(path) && !path.startsWith("cases/") && !built.texts.has(path))
      yield `${path} is made by nothing: delete it`;
  }
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

async function formatHolds(): Promise<string[]> {
  const own = ownSchemas();
  const schemas = Object.values(own);
  const judges = await Promise.all(
    (["vector-file", "manifest"] as const).map(async (name) => oracleFor(schemas, String(own[name]?.$id))),
  );
  return [...built.texts].flatMap(([path, text]) => {
    if (path === aliases) return [];
    const judge = judges[path === "MANIFEST.json" ? 1 : 0];
    return judge?.judge(JSON.parse(text) as Json).verdict === "valid" ? [] : [`${path} does not obey its format`];
  });
}

/** The vectors of one protocol, made in a process of its own. */
async function made(name: string): Promise<Part> {
  const child = fork(join(import.meta.dirname, "vectors/part.ts"), [name, ...(checked ? ["laws"] : [])]);
  let part: Part | undefined;
  child.once("message", (message) => {
    part = message as Part;
  });
  const [code] = await once(child, "close");
  if (part === undefined) throw new Error(`the vectors of ${name} were not made: the process ended with ${code}`);
  return part;
}

/** What the folder has of a protocol. */
function there(name: string): Built {
  const text = readFileSync(join(folder, "MANIFEST.json"), "utf8");
  const manifest = JSON.parse(text) as Built["manifest"];
  const files = manifest.files.filter(({ protocol }) => protocol === name);
  const documents = manifest.documents.filter(({ protocol }) => protocol === name);
  const texts = files.map(({ path }) => [path, readFileSync(join(folder, path), "utf8")] as const);
  return { texts: new Map(texts), manifest: { ...manifest, files, documents } };
}

function builtOf({ texts }: Part): Built {
  const all = new Map(texts);
  return { texts: all, manifest: JSON.parse(all.get("MANIFEST.json") ?? "") as Built["manifest"] };
}
