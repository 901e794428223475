import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import {
  closestBeside,
  documentName,
  type JsonObject,
  loadSchemas,
  type Protocol,
  profileFile,
  protocolsNamed,
  readPack,
  renamedSchema,
  StandIns,
  schemaFilesIn,
  schemasMeant,
  sourceIn,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { saysDescription } from "../openapi/description-names.ts";
import { apiPairs } from "./operations.ts";
import type { LoadedDocument, Pairs } from "./pair.ts";
import { compareRules, namesBetween } from "./rules.ts";

/** One side of a comparison: documents by name, each loaded when needed. */
interface Version {
  name: string;
  /** The protocol, for a pack or a built-in protocol. */
  protocol?: Protocol;
  documents: ReadonlyMap<string, () => Promise<LoadedDocument>>;
}

/** Pairs two versions: by operation if both describe an API; otherwise by document name, or directly if each version has one document. */
export async function pairsOf(old: string, young: string, refs: readonly string[]): Promise<Pairs> {
  if (saysDescription(old) && saysDescription(young)) {
    const { comparableApi } = await import("../openapi/index.ts");
    const before = await comparableApi(old);
    const now = before && (await comparableApi(young, before));
    if (before !== undefined && now !== undefined) return { old, new: young, ...apiPairs(before, now) };
  }
  const [given, now] = [await resolveVersion(old, refs), await resolveVersion(young, refs)] as const;
  const before = inNamesOf(now, given);
  const rules = given.protocol && now.protocol && compareRules(given.protocol, now.protocol);
  const [one, other] = [before.documents, now.documents];
  const [only = ""] = other.keys();
  const pairs =
    one.size === 1 && other.size === 1
      ? [{ name: only, before: [...one.values()][0], now: other.get(only) }]
      : [...new Set([...one.keys(), ...other.keys()])].map((name) => ({
          name,
          before: one.get(name),
          now: other.get(name),
        }));
  return {
    old: before.name,
    new: now.name,
    notCompared: [],
    ...(rules === undefined ? {} : { rules }),
    pairs: pairs.map(({ name, before, now }) => ({
      name,
      ...(before === undefined ? { state: "added" } : now === undefined ? { state: "removed" } : { before, now }),
    })),
  };
}

/** A version in the names of the version that it extends, or that extends it: a rename alone does not change messages. */
function inNamesOf(now: Version, before: Version): Version {
  const { names } = before.protocol && now.protocol ? namesBetween(before.protocol, now.protocol) : {};
  if (names === undefined) return before;
  const renameBack = names.back();
  const loadAll = async (load: () => Promise<LoadedDocument>): Promise<LoadedDocument> => {
    const { schemas, id, samples, source, ...otherMembers } = await load();
    return {
      ...otherMembers,
      schemas: schemas.map((schema) => renamedSchema(schema, names) as JsonObject),
      id: names.text(id),
      samples: samples.map((sample) => names.message(sample)),
      source: (location) => source(renameBack.text(location)),
    };
  };
  const documents = [...before.documents].map(([name, load]) => [name, () => loadAll(load)] as const);
  return { ...before, documents: new Map(documents) };
}

/** The version that an argument names: a schema (`FILE`, or `FILE#/json/pointer`), a folder of schemas, the folder of a pack, an OpenAPI or AsyncAPI document, or a protocol by its name. Throws a usage error for anything else. */
async function resolveVersion(given: string, refs: readonly string[]): Promise<Version> {
  const file = given.replace(/#.*$/, "");
  const path = existsSync(given) ? given : file;
  if (!existsSync(path)) {
    if (/[./\\#]/.test(file.replace(/@.*$/, "")))
      throw new TouchstoneError("usage", `the file or folder "${file}" does not exist`, {
        hint: `${closestBeside(file, schemasBeside(file))}give a schema, a folder of schemas or of a pack, an OpenAPI document, or the name of a protocol`,
      });
    return versionOf(given, protocolsNamed(given));
  }
  if (saysDescription(given)) return { name: given, documents: await loadDescription(given) };
  if (!statSync(path).isDirectory()) return { name: given, documents: await documentsIn(given, refs) };
  if (existsSync(join(path, profileFile))) return versionOf(given, [readPack(path)]);
  const documents = new Map<string, () => Promise<LoadedDocument>>();
  for (const schemaFile of await schemaFilesIn(path)) {
    const within = relative(path, schemaFile)
      .replaceAll("\\", "/")
      .replace(/(\.schema)?\.(json|ya?ml)$/i, "");
    const own = [...(await documentsIn(schemaFile, [...refs, path]))];
    for (const [name, load] of own) documents.set(own.length === 1 ? within : `${within}#${name}`, load);
  }
  return { name: given, documents };
}

async function documentsIn(
  given: string,
  refs: readonly string[],
): Promise<Map<string, () => Promise<LoadedDocument>>> {
  const schemaFiles = await schemasMeant(given);
  return new Map(schemaFiles.map((schema) => [nameOf(schema), () => loadVersion(schema, refs)]));
}

/** The last step of a place in a file. */
function nameOf(schema: string): string {
  const last = /#.*\/([^/]*)$/.exec(schema)?.[1];
  return last === undefined || last === ""
    ? documentName(schema.replace(/#$/, "")) || schema
    : decodeURIComponent(last);
}

async function loadVersion(schema: string, refs: readonly string[]): Promise<LoadedDocument> {
  const standIns = new StandIns({ hasSeparateBounds: true });
  const { entry, schemas, source, notes } = await loadSchemas({ schema, refs, upgrade: true, lenient: true, standIns });
  return { schemas, id: entry, samples: [], notes, source };
}

function versionOf(name: string, protocols: readonly Protocol[]): Version {
  const documents = new Map<string, () => Promise<LoadedDocument>>();
  for (const protocol of protocols)
    for (const { name: document, schema, samples = [], standalone } of protocol.profile.documents) {
      if (!standalone) continue;
      const load = async (): Promise<LoadedDocument> => ({
        schemas: protocol.schemas,
        id: schema,
        samples,
        notes: [],
        source: (location) => sourceIn(protocol, location),
        ...(protocol.profile.formats === "assert" ? { formats: "assert" as const } : {}),
      });
      documents.set(protocols.length === 1 ? document : `${protocol.name}/${document}`, load);
    }
  const [protocol, ...otherProtocols] = protocols;
  return { name, documents, ...(protocol === undefined || otherProtocols.length > 0 ? {} : { protocol }) };
}

/** The bodies, parameters and answers of the operations in a document, or its messages. */
async function loadDescription(path: string): Promise<Version["documents"]> {
  const { packFrom } = await import("../openapi/index.ts");
  const { documents, source, notes } = await packFrom(path, {});
  return new Map(
    documents.map(({ name, schema, samples }) => {
      const load = async (): Promise<LoadedDocument> => ({
        schemas: [schema],
        id: String(schema.$id),
        samples,
        notes,
        source,
      });
      return [name, load];
    }),
  );
}

/** The files in the folder of a path. */
function schemasBeside(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : [];
}
