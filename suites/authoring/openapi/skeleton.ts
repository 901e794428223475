import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  canonical,
  isObject,
  type Json,
  type JsonObject,
  kebab,
  type Misread,
  originsFile,
  type Profile,
  profileFile,
  readJson,
  type Source,
  shownPath,
} from "../../../schemas/index.ts";
import { originPlaces } from "../generate/places.ts";
import { planOf, type WorkPlan } from "../generate/plan.ts";
import { type RequestedSet, withRequestedSet } from "../generate/wanted-set.ts";
import { messagesPack } from "./asyncapi.ts";
import { mergeRules, rulesFile } from "./kept-rules.ts";
import { kindOf } from "./kind.ts";
import { aboutNulls, nullsContradiction } from "./nulls.ts";
import { describeOddity, type Oddity } from "./oddities.ts";
import { originsOf } from "./origins.ts";
import { operationsPack } from "./pack.ts";
import type { OperationCounts, PackData, PackDocument } from "./pack-data.ts";
import { sourcesOf } from "./source.ts";

/** The data of a pack to be written: texts by path within its folder. */
interface DescribedPack {
  folder: string;
  texts: Map<string, string>;
  notes: string[];
  /** The notes about parts that have no effect at their place and are left out. */
  misread: Misread[];
  /** Probable mistakes in the description, outside its schemas. */
  oddities: readonly Oddity[];
  /** Notes that matter only if something is sent. */
  calls: string[];
  plan: WorkPlan;
  documents: readonly DescribedDocument[];
  /** How many operations or messages the description has, and how many were requested. */
  operations: OperationCounts;
  /** The file and line of a location in the description. */
  source(location: string): Source | undefined;
  /** Whether the author of the description wrote the part at a location. Some parts express rules of HTTP. */
  isWritten(location: string): boolean;
}

interface SkeletonOptions {
  name?: string;
  /** The folder of the pack; by default a folder with its name. */
  out?: string;
  /** The requested operations, by name, method and path, or glob; by default all. */
  only?: readonly string[] | undefined;
  /** Whether the keyword `format` asserts; by default as in the existing pack, or else as in 2020-12. */
  formats?: Profile["formats"] | undefined;
  set?: RequestedSet | undefined;
  /** Whether there is no time left to read further operations. */
  isOver?: (() => boolean) | undefined;
}

/** A self-contained document of the pack: its schema has no references to other files. */
interface DescribedDocument {
  name: string;
  schema: JsonObject;
  samples: readonly Json[];
  /** Whether vectors are made for it. */
  isSent: boolean;
}

/** Why a server may refuse a request that is valid by its description. */
const mayRefuse = "a description does not list everything that a server requires of a request";

/**
 * Makes the data of a pack from an OpenAPI or AsyncAPI document: a document for each body and for the parameters of each operation, or for
 * each message. A user's additions to the profile of an existing pack are kept. Throws a usage error with file, line and pointer.
 */
export async function packFrom(
  path: string,
  { name, out, only, formats, set, isOver }: SkeletonOptions,
): Promise<DescribedPack> {
  const sources = await sourcesOf(path);
  const kind = kindOf(sources.root);
  const data = await (kind.name === "openapi"
    ? operationsPack(sources, kind, { only, isOver })
    : messagesPack(sources, kind));
  const value = sources.root.text.value as JsonObject;
  const title = isObject(value.info) && typeof value.info.title === "string" ? value.info.title : "";
  const packName = name ?? (kebab(title) || kebab(basename(path).replace(/\.\w+$/, "")) || kind.name);
  const folder = out ?? `./${packName}`;
  const documents = data.documents.map(({ document: { name, samples = [], standalone = true }, schema }) => {
    return { name, schema: { ...schema, $id: idOf(name) }, samples, isSent: standalone };
  });
  const texts = new Map<string, string>();
  for (const { name, schema } of documents) texts.set(`schemas/${name}.schema.json`, textOf(schema));
  const profile = profileOf(folder, { name: packName, title, formats, set }, data, kind.name === "openapi");
  if (!hasContent(join(folder, profileFile), profile)) texts.set(profileFile, textOf(profile));
  const rules = mergeRules(folder, data.rules);
  if (rules.value !== undefined && !hasContent(join(folder, rulesFile), rules.value))
    texts.set(rulesFile, textOf(rules.value));
  const { source, isWritten } = sourcesIn(data);
  const rulePlaces = [...data.places].map(([id, { source, at }]): [string, Source] => {
    return [id, { file: source.file, ...source.text.locate(at) }];
  });
  const places = originPlaces(
    new Map(documents.map(({ schema }) => [String(schema.$id), schema])),
    folder,
    source,
    new Map(rulePlaces),
  );
  const notes = [...data.calls, ...data.notes];
  const plan = planOf(documents, data.operations);
  const origins: JsonObject = { ...originsOf(sources, folder), rules: rules.digests, notes, plan: plan.what };
  texts.set(originsFile, `${JSON.stringify(places === undefined ? origins : { ...origins, places })}\n`);
  return {
    folder,
    texts,
    notes: [...data.notes, ...rules.notes],
    misread: data.misread,
    oddities: distinctOddities(data.oddities),
    calls: data.calls,
    operations: data.operations,
    plan,
    documents,
    source,
    isWritten,
  };
}

/** Finds the places of schemas in their original file, and distinguishes generated parts. */
function sourcesIn(data: PackData): Pick<DescribedPack, "source" | "isWritten"> {
  const byId = new Map(data.documents.map(({ document, text }) => [idOf(document.name), text]));
  const textAt = (location: string) => {
    const [id = "", at = ""] = location.split("#");
    const text = byId.get(id);
    return { at, text, origin: text?.origin?.(at) };
  };
  const source = (location: string): Source | undefined => {
    const { at, text, origin } = textAt(location);
    if (text === undefined || origin === undefined) return undefined;
    // Generated parts have no place in the file.
    const originalPointer = origin.isWritten ? { pointer: origin.at } : {};
    return { file: origin.file, ...text.locate(at), ...originalPointer };
  };
  return { source, isWritten: (location) => textAt(location).origin?.isWritten !== false };
}

/** A shared part of several operations is reported once. */
function distinctOddities(oddities: readonly Oddity[]): Oddity[] {
  return [...new Map(oddities.map((oddity) => [describeOddity(oddity), oddity])).values()];
}

function idOf(name: string): string {
  return `schema:/${name}.schema.json`;
}

/** The profile, with a user's additions to the existing one. */
function profileOf(
  folder: string,
  { name, title, formats, set }: Pick<SkeletonOptions, "formats" | "set"> & { name: string; title: string },
  data: PackData,
  isServer: boolean,
): JsonObject {
  const path = join(folder, profileFile);
  const existingProfile = existsSync(path) ? (readJson(readFileSync(path), shownPath(path)).value as JsonObject) : {};
  const existingDocuments = Array.isArray(existingProfile.documents) ? existingProfile.documents.filter(isObject) : [];
  return {
    formats: "annotate",
    ...existingProfile,
    ...(formats === undefined ? {} : { formats }),
    protocol: name,
    ...(title === "" ? {} : { title }),
    // Few readers decide how to handle bytes that are not UTF-8: many platforms replace them. Parsers of platforms may accept more than JSON (RFC 8259, 9); Python's accepts NaN.
    ...(isServer ? { text: { rulings: { encoding: { level: "SHOULD" }, extended: { level: "SHOULD" } } } } : {}),
    documents: data.documents.map(
      ({ document }): Json =>
        withRequestedSet(
          {
            ...existingDocuments.find((existingDocument) => existingDocument.name === document.name),
            ...(document as unknown as JsonObject),
            ...freshOf(document, existingDocuments),
            file: `schemas/${document.name}.schema.json`,
          },
          set,
        ),
    ),
    ...contradictionsOf(existingProfile.contradictions, data),
    ...(isServer ? { http: httpOf(existingProfile.http, data) } : {}),
  };
}

/** The contradictions in the profile: the one about `nullable`, if the description uses it, and the ones that a user added. */
function contradictionsOf(existing: Json | undefined, { nulls }: PackData): JsonObject {
  const userContradictions = Array.isArray(existing)
    ? existing.filter((contradiction) => !isObject(contradiction) || contradiction.about !== aboutNulls)
    : [];
  const contradictions =
    nulls.length === 0 ? userContradictions : [nullsContradiction(nulls) as unknown as Json, ...userContradictions];
  return existing === undefined && contradictions.length === 0 ? {} : { contradictions };
}

/** The fresh members of a document: the ones from the description, and the ones that a user added. */
function freshOf({ name, fresh }: PackDocument["document"], existingDocuments: readonly JsonObject[]): JsonObject {
  const userMembers = existingDocuments.find((existingDocument) => existingDocument.name === name)?.fresh;
  if (fresh === undefined || !Array.isArray(userMembers)) return {};
  const newMembers = fresh.filter(
    ({ at }) => !userMembers.some((freshness) => isObject(freshness) && freshness.at === at),
  );
  return { fresh: [...userMembers, ...(newMembers as unknown as Json[])] };
}

/** The settings for servers in the profile, with the current addresses. */
function httpOf(existingHttp: Json | undefined, { servers }: PackData): JsonObject {
  const { servers: _, ...otherSettings } = isObject(existingHttp) ? existingHttp : {};
  return { ...otherSettings, mayRefuse, ...(servers.length === 0 ? {} : { servers }) };
}

/** Whether a file has the same content already, in any layout. */
function hasContent(path: string, value: Json): boolean {
  return existsSync(path) && canonical(readJson(readFileSync(path), shownPath(path)).value) === canonical(value);
}

function textOf(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
