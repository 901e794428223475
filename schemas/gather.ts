import { dirname } from "node:path";
import { takeApart } from "./dialect-parts.ts";
import { documentOf, type SchemaDocument } from "./document.ts";
import { withoutEndless } from "./endless-bounds.ts";
import { TouchstoneError } from "./error.ts";
import { found, type Limits, readText, shownPath } from "./files.ts";
import { schemasBeneath } from "./folder.ts";
import { addDocument, emptyGraph, type Reference, type Resource, type Spot, spotKey } from "./graph.ts";
import type { JsonObject } from "./json.ts";
import { repair, withDialect } from "./lenient.ts";
import type { LoadedSchemas, LoadOptions, Source } from "./loaded-schemas.ts";
import { refuseLoops } from "./loops.ts";
import { refuseMisshapen } from "./meta-schema.ts";
import { namedSchema, pointing } from "./named-schema.ts";
import { type Notes, noteIn } from "./notes.ts";
import { StandIns } from "./number-stand-ins.ts";
import { append } from "./pointer.ts";
import { type Followed, published } from "./publish.ts";
import { follow, followMeant, takeIn } from "./references.ts";
import { retrieve } from "./retrieve.ts";

/** Does what `loadSchemas` says. */
export async function gather({ schema, ...options }: LoadOptions): Promise<LoadedSchemas> {
  const [loaded] = await gatherAll([schema], options);
  return loaded as LoadedSchemas;
}

/** Does what `loadSeveral` says for schemas of one file, which is read once. */
export async function gatherAll(
  given: readonly string[],
  options: Omit<LoadOptions, "schema">,
): Promise<LoadedSchemas[]> {
  const { refs = [], within = [], named = new Map(), upgrade, lenient = false } = options;
  const limits: Limits = { files: 10_000, bytes: 10 * 1024 * 1024, ...options.limits };
  const { standIns = new StandIns() } = options;
  const followed: Followed[] = [];
  const places = await Promise.all(given.map(namedSchema));
  const { file } = places[0] as (typeof places)[number];
  const entry = await found(file);
  if (entry.kind === "folder") {
    throw new TouchstoneError("usage", `"${file}" is a folder`, { hint: "name the schema to begin with" });
  }
  const folders = [dirname(entry.path), ...(await Promise.all(within.map(async (each) => (await found(each)).path)))];
  const graph = emptyGraph(dirname(entry.path));
  const read: Notes = { notes: [], misread: [] };
  const whole = await take(entry.path);
  const roots = places.map(({ at }) =>
    at === "" ? whole : addDocument(graph, pointing(whole.document, whole.id, at)),
  );
  for (const ref of refs) await give(ref);
  await settle();
  refuseLoops(graph, followed, roots, lenient ? leftAside : undefined);
  const notes: string[] = [...read.notes];
  const schemas = published(graph, followed, upgrade === true ? notes : undefined, lenient);
  const idOf = (each: JsonObject): unknown => each.$id ?? each.id;
  const pointers = new Set(roots.filter((root) => root !== whole).map(({ id }) => id));
  const others = schemas.filter((each) => !pointers.has(idOf(each) as string));
  return roots.map((root) => {
    const own = schemas.filter((each) => idOf(each) === root.id);
    const rest = others.filter((each) => idOf(each) !== root.id);
    return { entry: root.id, schemas: [...own, ...rest], source, notes, misread: read.misread };
  });

  async function take(path: string): Promise<Resource> {
    const known = graph.roots.find(({ document }) => document.path === path);
    if (known !== undefined) return known;
    const file = shownPath(path);
    const text = await readText(path, limits);
    if (!lenient) return add(documentOf(path, file, text));
    const note = noteIn({ file, text }, read);
    return add(documentOf(path, file, withDialect(file, withoutEndless(text, note), note)));
  }

  async function add(document: SchemaDocument): Promise<Resource> {
    if (graph.roots.length === limits.files) {
      throw new TouchstoneError("usage", `more than ${limits.files} schemas`, { hint: "give fewer" });
    }
    const apart = takeApart(document);
    if (lenient) standIns.keep({ ...document.text, value: document.schema });
    settleShape(document, "");
    const resource = addDocument(graph, document);
    for (const each of apart) await add(each);
    return resource;
  }

  /** Repairs malformed keywords if asked to, and throws for any that remain. */
  function settleShape(document: SchemaDocument, at: string): void {
    if (lenient) repair(document, at, noteIn(document, read), standIns);
    refuseMisshapen(document, at);
  }

  async function give(ref: string): Promise<void> {
    const { path, kind } = await found(ref);
    if (kind === "file") return void (await take(path));
    folders.push(path);
    for (const document of await schemasBeneath(path, limits)) {
      if (!graph.roots.some((each) => each.document.path === document.path)) await add(document);
    }
  }

  /** Follows references until none is left; files are looked for only when nothing at hand helps. */
  async function settle(): Promise<void> {
    let waiting = graph.waiting.splice(0);
    while (waiting.length > 0) {
      const left: Reference[] = [];
      for (const reference of waiting) if (!(await isSettled(reference))) left.push(reference);
      if (graph.waiting.length === 0) await find(left);
      waiting = [...left, ...graph.waiting.splice(0)];
    }
  }

  async function find(references: readonly Reference[]): Promise<void> {
    const refusals: TouchstoneError[] = [];
    for (const reference of references) {
      const result = await retrieve({ graph, folders, named, take }, reference);
      if (result !== true) refusals.push(result);
    }
    const [first] = refusals;
    if (first !== undefined && refusals.length === references.length) throw first;
  }

  async function isSettled(reference: Reference): Promise<boolean> {
    const target = lenient ? followMeant(graph, reference) : follow(graph, reference);
    if (target === undefined || target === "standard") return target !== undefined;
    const { resource, at } = target;
    if (!graph.spots.has(spotKey(resource.document, at))) settleShape(resource.document, at);
    takeIn(graph, target);
    followed.push({ reference, target });
    if (target.isGuess === true) {
      const { from, keyword, to } = reference;
      noteIn(from.document, read)(
        append(from.at, keyword),
        `${to} leads nowhere by the letter, and is taken for #${at}`,
      );
    }
    return true;
  }

  function leftAside(spot: Spot, keyword: string, what: string): void {
    const { document, at } = spot;
    noteIn(document, read)(append(at, keyword), `${what}; nothing uses it, and it is left aside`);
    delete spot.schema[keyword];
    const index = followed.findIndex(({ reference }) => reference.from === spot && reference.keyword === keyword);
    if (index >= 0) followed.splice(index, 1);
  }

  function source(location: string): Source | undefined {
    const hash = `${location}#`.indexOf("#");
    const id = location.slice(0, hash);
    const name = location.slice(hash + 1);
    const resource = URL.canParse(id) ? graph.resources.get(new URL(id).href) : undefined;
    if (resource === undefined) return undefined;
    const { document, anchors, at } = resource;
    return { file: document.file, ...document.text.locate(anchors.get(name) ?? `${at}${name}`) };
  }
}
