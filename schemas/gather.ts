import { dirname } from "node:path";
import { documentOf, type SchemaDocument } from "./document.ts";
import { extractForeignDialects } from "./embedded-resources.ts";
import { dropInfiniteBounds } from "./endless-bounds.ts";
import { TouchstoneError } from "./error.ts";
import { findPath, type ReadLimits, readText, shownPath } from "./files.ts";
import { schemasBeneath } from "./folder.ts";
import {
  addDocument,
  emptyGraph,
  type Graph,
  type Reference,
  type Resource,
  type SchemaSpot,
  spotKey,
} from "./graph.ts";
import type { JsonObject } from "./json.ts";
import { repairSchema, withDialect } from "./lenient-dialect.ts";
import type { LoadedSchemas, LoadOptions, Source } from "./loaded-schemas.ts";
import { refuseLoops } from "./loops.ts";
import { refuseMisshapen } from "./meta-schema.ts";
import { namedSchema, referringDocument } from "./named-schema.ts";
import { type Notes, noteIn } from "./notes.ts";
import { StandIns } from "./number-stand-ins.ts";
import { append } from "./pointer.ts";
import { type Followed, publishSchemas } from "./publish.ts";
import { addTarget, follow, followLeniently } from "./references.ts";
import { retrieve } from "./retrieve.ts";

/** Implements `loadSchemas`. */
export async function gatherSchemas({ schema, ...options }: LoadOptions): Promise<LoadedSchemas> {
  const [loaded] = await gatherAll([schema], options);
  return loaded as LoadedSchemas;
}

/** Implements `loadSeveral` for schemas of one file, which is read once. */
export async function gatherAll(
  names: readonly string[],
  options: Omit<LoadOptions, "schema">,
): Promise<LoadedSchemas[]> {
  const places = await Promise.all(names.map(namedSchema));
  const { file } = places[0] as (typeof places)[number];
  const entry = await findPath(file);
  if (entry.kind === "folder") {
    throw new TouchstoneError("usage", `"${file}" is a folder`, { hint: "name the schema to begin with" });
  }
  const gathering = new Gathering(dirname(entry.path), options);
  await gathering.allow(options.within ?? []);
  const roots = await gathering.begin(
    entry.path,
    places.map(({ at }) => at),
  );
  for (const ref of options.refs ?? []) await gathering.addReferenced(ref);
  await gathering.settle();
  return gathering.publish(roots);
}

/** The schemas and references that have been read so far. */
class Gathering {
  readonly #graph: Graph;
  /** Folders to search for referenced files. */
  readonly #folders: string[];
  readonly #named: NonNullable<LoadOptions["named"]>;
  readonly #limits: ReadLimits;
  readonly #isLenient: boolean;
  readonly #isUpgrade: boolean;
  readonly #standIns: StandIns;
  readonly #followed: Followed[] = [];
  readonly #notes: Notes = { notes: [], misread: [] };

  constructor(folder: string, options: Omit<LoadOptions, "schema">) {
    const { named = new Map(), upgrade, lenient = false, standIns = new StandIns() } = options;
    this.#graph = emptyGraph(folder);
    this.#folders = [folder];
    this.#named = named;
    this.#limits = { files: 10_000, bytes: 10 * 1024 * 1024, ...options.limits };
    this.#isLenient = lenient;
    this.#isUpgrade = upgrade === true;
    this.#standIns = standIns;
  }

  /** Allows references into these folders as well. */
  async allow(folders: readonly string[]): Promise<void> {
    this.#folders.push(...(await Promise.all(folders.map(async (folder) => (await findPath(folder)).path))));
  }

  /** Reads the first file, and returns the schemas at the places in it (JSON Pointers). */
  async begin(path: string, places: readonly string[]): Promise<{ whole: Resource; roots: Resource[] }> {
    const whole = await this.#readDocument(path);
    const { document, id } = whole;
    const resourceAt = (at: string): Resource =>
      at === "" ? whole : addDocument(this.#graph, referringDocument(document, id, at));
    return { whole, roots: places.map(resourceAt) };
  }

  /** Adds a file, or the schemas of a folder. */
  async addReferenced(ref: string): Promise<void> {
    const { path, kind } = await findPath(ref);
    if (kind === "file") return void (await this.#readDocument(path));
    this.#folders.push(path);
    for (const document of await schemasBeneath(path, this.#limits)) {
      if (!this.#graph.roots.some((root) => root.document.path === document.path)) await this.#add(document);
    }
  }

  /** Follows references until none is left. Looks for files only if no loaded schema is the target. */
  async settle(): Promise<void> {
    const graph = this.#graph;
    let waiting = graph.waiting.splice(0);
    while (waiting.length > 0) {
      const unresolved: Reference[] = [];
      for (const reference of waiting) if (!(await this.#follow(reference))) unresolved.push(reference);
      if (graph.waiting.length === 0) await this.#find(unresolved);
      waiting = [...unresolved, ...graph.waiting.splice(0)];
    }
  }

  /** Returns for each root its schema, followed by all others. */
  publish({ whole, roots }: { whole: Resource; roots: readonly Resource[] }): LoadedSchemas[] {
    const setAside = (spot: SchemaSpot, keyword: string, what: string): void => this.#setAside(spot, keyword, what);
    refuseLoops(this.#graph, this.#followed, roots, this.#isLenient ? setAside : undefined);
    const notes: string[] = [...this.#notes.notes];
    const schemas = publishSchemas(this.#graph, this.#followed, this.#isUpgrade ? notes : undefined, this.#isLenient);
    const idOf = (schema: JsonObject): unknown => schema.$id ?? schema.id;
    const pointers = new Set(roots.filter((root) => root !== whole).map(({ id }) => id));
    const fileSchemas = schemas.filter((schema) => !pointers.has(idOf(schema) as string));
    const source = (location: string): Source | undefined => this.#sourceOf(location);
    return roots.map((root) => {
      const rootSchema = schemas.filter((schema) => idOf(schema) === root.id);
      const otherSchemas = fileSchemas.filter((schema) => idOf(schema) !== root.id);
      return { entry: root.id, schemas: [...rootSchema, ...otherSchemas], source, notes, misread: this.#notes.misread };
    });
  }

  async #readDocument(path: string): Promise<Resource> {
    const knownRoot = this.#graph.roots.find(({ document }) => document.path === path);
    if (knownRoot !== undefined) return knownRoot;
    const file = shownPath(path);
    const text = await readText(path, this.#limits);
    if (!this.#isLenient) return this.#add(documentOf(path, file, text));
    const note = noteIn({ file, text }, this.#notes);
    return this.#add(documentOf(path, file, withDialect(file, dropInfiniteBounds(text, note), note)));
  }

  async #add(document: SchemaDocument): Promise<Resource> {
    const { files } = this.#limits;
    if (this.#graph.roots.length === files) {
      throw new TouchstoneError("usage", `more than ${files} schemas`, { hint: "give fewer" });
    }
    const parts = extractForeignDialects(document);
    if (this.#isLenient) this.#standIns.reserve({ ...document.text, value: document.schema });
    this.#settleShape(document, "");
    const resource = addDocument(this.#graph, document);
    for (const part of parts) await this.#add(part);
    return resource;
  }

  /** Repairs malformed keywords if that is allowed, and throws for any that remain. */
  #settleShape(document: SchemaDocument, at: string): void {
    if (this.#isLenient) repairSchema(document, at, noteIn(document, this.#notes), this.#standIns);
    refuseMisshapen(document, at);
  }

  async #find(references: readonly Reference[]): Promise<void> {
    const reach = {
      graph: this.#graph,
      folders: this.#folders,
      named: this.#named,
      take: (path: string) => this.#readDocument(path),
    };
    const refusals: TouchstoneError[] = [];
    for (const reference of references) {
      const result = await retrieve(reach, reference);
      if (result !== true) refusals.push(result);
    }
    const [firstRefusal] = refusals;
    if (firstRefusal !== undefined && refusals.length === references.length) throw firstRefusal;
  }

  /** Whether a reference leads to a readable schema, which is then added. */
  async #follow(reference: Reference): Promise<boolean> {
    const graph = this.#graph;
    const target = this.#isLenient ? followLeniently(graph, reference) : follow(graph, reference);
    if (target === undefined || target === "standard") return target !== undefined;
    const { resource, at } = target;
    if (!graph.spots.has(spotKey(resource.document, at))) this.#settleShape(resource.document, at);
    addTarget(graph, target);
    this.#followed.push({ reference, target });
    if (target.isGuess === true) {
      const { from, keyword, to } = reference;
      const note = noteIn(from.document, this.#notes);
      note(append(from.at, keyword), `${to} has no exact target, and is read as #${at}`);
    }
    return true;
  }

  #setAside(spot: SchemaSpot, keyword: string, what: string): void {
    const { document, at } = spot;
    noteIn(document, this.#notes)(append(at, keyword), `${what}; nothing uses it, and it is left aside`);
    delete spot.schema[keyword];
    const followed = this.#followed;
    const index = followed.findIndex(({ reference }) => reference.from === spot && reference.keyword === keyword);
    if (index >= 0) followed.splice(index, 1);
  }

  #sourceOf(location: string): Source | undefined {
    const hash = `${location}#`.indexOf("#");
    const id = location.slice(0, hash);
    const name = location.slice(hash + 1);
    const resource = URL.canParse(id) ? this.#graph.resources.get(new URL(id).href) : undefined;
    if (resource === undefined) return undefined;
    const { document, anchors, at } = resource;
    return { file: document.file, ...document.text.locate(anchors.get(name) ?? `${at}${name}`) };
  }
}
