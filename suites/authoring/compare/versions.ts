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
import { declaresDescription } from "../openapi/description-names.ts";
import { apiPairs } from "./operations.ts";
import type { LoadedDocument, Pairs, VersionPair } from "./pair.ts";
import { compareRules, namesBetween } from "./rules.ts";

/** One side of a comparison: documents by name, each loaded when needed. */
interface Version {
  name: string;
  /** The protocol, for a pack or a built-in protocol. */
  protocol?: Protocol;
  documents: ReadonlyMap<string, DocumentLoader>;
}

type DocumentLoader = () => Promise<LoadedDocument>;

/** Pairs two versions: by operation if both describe an API; otherwise by document name, or directly if each version has one document. */
export async function pairsOf(old: string, next: string, refs: readonly string[]): Promise<Pairs> {
  if (declaresDescription(old) && declaresDescription(next)) {
    const { comparableApi } = await import("../openapi/index.ts");
    const oldApi = await comparableApi(old);
    const newApi = oldApi && (await comparableApi(next, oldApi));
    if (oldApi !== undefined && newApi !== undefined) return { old, new: next, ...apiPairs(oldApi, newApi) };
  }
  const [originalOld, newVersion] = [await resolveVersion(old, refs), await resolveVersion(next, refs)] as const;
  const oldVersion = withNamesOf(newVersion, originalOld);
  const rules = originalOld.protocol && newVersion.protocol && compareRules(originalOld.protocol, newVersion.protocol);
  return {
    old: oldVersion.name,
    new: newVersion.name,
    notCompared: [],
    ...(rules === undefined ? {} : { rules }),
    pairs: pairDocuments(oldVersion.documents, newVersion.documents),
  };
}

function pairDocuments(old: Version["documents"], next: Version["documents"]): VersionPair[] {
  const [oldLoaders, newEntries] = [[...old.values()], [...next.entries()]];
  const [[name = "", loadNew] = []] = newEntries;
  if (oldLoaders.length === 1 && newEntries.length === 1) return [pairOf(name, oldLoaders[0], loadNew)];
  const names = [...new Set([...old.keys(), ...next.keys()])];
  return names.map((name) => pairOf(name, old.get(name), next.get(name)));
}

function pairOf(name: string, loadOld: DocumentLoader | undefined, loadNew: DocumentLoader | undefined): VersionPair {
  if (loadOld === undefined) return { name, state: "added" };
  return loadNew === undefined ? { name, state: "removed" } : { name, loadOld, loadNew };
}

/** The old version with the names of the new one, if one extends the other: a rename alone does not change messages. */
function withNamesOf(newVersion: Version, oldVersion: Version): Version {
  const { names } =
    oldVersion.protocol && newVersion.protocol ? namesBetween(oldVersion.protocol, newVersion.protocol) : {};
  if (names === undefined) return oldVersion;
  const renameBack = names.back();
  const loadRenamed = async (load: DocumentLoader): Promise<LoadedDocument> => {
    const { schemas, id, samples, source, ...otherMembers } = await load();
    return {
      ...otherMembers,
      schemas: schemas.map((schema) => renamedSchema(schema, names) as JsonObject),
      id: names.text(id),
      samples: samples.map((sample) => names.message(sample)),
      source: (location) => source(renameBack.text(location)),
    };
  };
  const documents = [...oldVersion.documents].map(([name, load]) => [name, () => loadRenamed(load)] as const);
  return { ...oldVersion, documents: new Map(documents) };
}

/** The version that an argument names: a schema (`FILE`, or `FILE#/json/pointer`), a folder of schemas, the folder of a pack, an OpenAPI or AsyncAPI document, or a protocol by its name. Throws a usage error for anything else. */
async function resolveVersion(argument: string, refs: readonly string[]): Promise<Version> {
  const file = argument.replace(/#.*$/, "");
  const path = existsSync(argument) ? argument : file;
  if (!existsSync(path)) {
    if (/[./\\#]/.test(file.replace(/@.*$/, "")))
      throw new TouchstoneError("usage", `the file or folder "${file}" does not exist`, {
        hint: `${closestBeside(file, schemasBeside(file))}give a schema, a folder of schemas or of a pack, an OpenAPI document, or the name of a protocol`,
      });
    return versionOf(argument, protocolsNamed(argument));
  }
  if (declaresDescription(argument)) return { name: argument, documents: await loadDescription(argument) };
  if (!statSync(path).isDirectory()) return { name: argument, documents: await documentsIn(argument, refs) };
  if (existsSync(join(path, profileFile))) return versionOf(argument, [readPack(path)]);
  const documents = new Map<string, DocumentLoader>();
  for (const schemaFile of await schemaFilesIn(path)) {
    const fileLabel = relative(path, schemaFile)
      .replaceAll("\\", "/")
      .replace(/(\.schema)?\.(json|ya?ml)$/i, "");
    const fileDocuments = [...(await documentsIn(schemaFile, [...refs, path]))];
    for (const [name, load] of fileDocuments)
      documents.set(fileDocuments.length === 1 ? fileLabel : `${fileLabel}#${name}`, load);
  }
  return { name: argument, documents };
}

async function documentsIn(argument: string, refs: readonly string[]): Promise<Map<string, DocumentLoader>> {
  const schemaFiles = await schemasMeant(argument);
  return new Map(schemaFiles.map((schema) => [nameOf(schema), () => loadVersion(schema, refs)]));
}

/** The name of a document: the last step of its JSON Pointer, or its file. */
function nameOf(schema: string): string {
  const lastStep = /#.*\/([^/]*)$/.exec(schema)?.[1];
  return lastStep === undefined || lastStep === ""
    ? documentName(schema.replace(/#$/, "")) || schema
    : decodeURIComponent(lastStep);
}

async function loadVersion(schema: string, refs: readonly string[]): Promise<LoadedDocument> {
  const standIns = new StandIns({ hasSeparateBounds: true });
  const { entry, schemas, source, notes } = await loadSchemas({ schema, refs, upgrade: true, lenient: true, standIns });
  return { schemas, id: entry, samples: [], notes, source };
}

function versionOf(name: string, protocols: readonly Protocol[]): Version {
  const documents = new Map<string, DocumentLoader>();
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

/** Lists the folder of a path, to correct a misspelled name. */
function schemasBeside(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : [];
}
