import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { buildSet, oneFaultLaw, oracleFor, parentLaw, rawLaw, semanticLaw, verdictLaw } from "../generators/index.ts";
import {
  home,
  type Json,
  ownSchemas,
  type Protocol,
  protocolsNamed,
  type Vector,
  type VectorFile,
} from "../schemas/index.ts";

const folder = join(home, "vectors");
const protocols = protocolsNamed("all");
const started = process.hrtime.bigint();
const seconds = () => `${(Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000).toFixed(1)} s`;

const built = await buildSet(protocols, (name, { files, sites }) => {
  const counts = files.map(({ kind, file }) => `${file.count} ${kind}`).join(", ");
  console.error(`${seconds()}  ${name}: ${counts}; ${sites.broken} of ${sites.sites} assertions broken alone`);
});
if (process.argv.includes("--check")) process.exitCode = (await check()) ? 0 : 1;
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
  for (const protocol of protocols) complaints.push(...(await lawsHold(protocol)));
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
    const judge = judges[path === "MANIFEST.json" ? 1 : 0];
    return judge?.judge(JSON.parse(text) as Json).verdict === "valid" ? [] : [`${path} does not obey its format`];
  });
}

async function lawsHold(protocol: Protocol): Promise<string[]> {
  const complaints: string[] = [];
  const all = [...built.texts]
    .filter(([path]) => path.startsWith(`${protocol.name}/`))
    .flatMap(([, text]): Vector[] => (JSON.parse(text) as VectorFile).tests);
  for (const document of protocol.profile.documents.filter((each) => each.standalone)) {
    const prefix = `${protocol.name}/${protocol.version}/${document.name}/`;
    const vectors = all.filter(({ id }) => id.startsWith(prefix) && !id.startsWith(`${prefix}semantic/`));
    const parents = new Map(vectors.filter(({ valid }) => valid === true).map(({ id, data }) => [id, data as Json]));
    const oracle = await oracleFor(protocol.schemas, document.schema);
    const breaches = [
      ...verdictLaw(oracle, vectors),
      ...parentLaw(oracle, parents, vectors),
      ...oneFaultLaw(protocol.schemas, document.schema, vectors),
      ...rawLaw(protocol, oracle, parents, vectors),
    ];
    complaints.push(...breaches.map(({ id, law, why }) => `${id} breaks the law of ${law}: ${why}`));
    console.error(
      `${seconds()}  ${protocol.name} ${document.name}: laws ${breaches.length === 0 ? "hold" : `broken ${breaches.length} times`} for ${vectors.length} vectors`,
    );
  }
  for (const document of protocol.profile.documents) {
    const prefix = `${protocol.name}/${protocol.version}/${document.name}/semantic/`;
    const vectors = all.filter(({ id }) => id.startsWith(prefix));
    if (vectors.length === 0) continue;
    const oracle = await oracleFor(protocol.schemas, document.schema);
    const parents = new Map(vectors.filter(({ valid }) => valid === true).map(({ id, data }) => [id, data as Json]));
    const changed = vectors.filter(({ parent }) => parent !== undefined);
    const breaches = [...semanticLaw(protocol, document, oracle, vectors), ...parentLaw(oracle, parents, changed)];
    complaints.push(...breaches.map(({ id, law, why }) => `${id} breaks the law of ${law}: ${why}`));
    console.error(
      `${seconds()}  ${protocol.name} ${document.name}: laws of rules ${breaches.length === 0 ? "hold" : `broken ${breaches.length} times`} for ${vectors.length} vectors`,
    );
  }
  return complaints;
}
