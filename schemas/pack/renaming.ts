import type { Renames } from "../extension.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { escaped } from "../pointer.ts";

/** Converts the names of one pack to those of another. */
export interface NameChange {
  id(id: string): string;
  member(name: string): string;
  pointer(pointer: string): string;
  /** A sentence, an address, or the text of a message. */
  text(text: string): string;
  /** Renames the members and the texts of a message. */
  message(value: Json): Json;
  /** Renames only the members: the texts of a judged message stay. */
  members(value: Json): Json;
  /** The reverse conversion. */
  back(): NameChange;
}

/** The kinds of renames, in the order of the search in a text. */
export const renameKinds = ["texts", "paths", "headers", "ids", "members"] as const;

/** The conversion from the parent's names to the pack's. It must be reversible: no two names become one. */
export function renamingOf(renames: Renames): NameChange {
  const members = withReverse(renames.members ?? {});
  const headers = withReverse(
    Object.fromEntries(Object.entries(renames.headers ?? {}).map((pair) => pair.map(lowerCase) as [string, string])),
  );
  const renameText = textRenaming(renames);
  const renameInMessage = textRenaming({ ...renames, members: {} });
  const member = (name: string): string => members.get(name) ?? headers.get(name) ?? name;
  const walkMessage = (value: Json, text: (text: string) => string): Json => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map((each) => walkMessage(each, text));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [member(name), walkMessage(each, text)]));
  };
  const keepText = (text: string): string => text;
  return {
    id: textRenaming({ ids: renames.ids ?? {} }),
    member,
    pointer: (pointer) =>
      pointer
        .split("/")
        .map((step) => escaped(member(step.replaceAll("~1", "/").replaceAll("~0", "~"))))
        .join("/"),
    text: renameText,
    message: (value) => walkMessage(value, renameInMessage),
    members: (value) => (members.size + headers.size === 0 ? value : walkMessage(value, keepText)),
    back: () =>
      renamingOf(Object.fromEntries(renameKinds.map((kind) => [kind, reverseNames(renames[kind] ?? {})] as const))),
  };
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function reverseNames(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([old, young]) => [young, old]));
}

/** Adds the reverse renames, so that a name that is used on the other side makes way and no two members become one. */
function withReverse(names: Readonly<Record<string, string>>): Map<string, string> {
  const renamesBothWays = new Map(Object.entries(names));
  for (const [old, young] of Object.entries(names)) if (!renamesBothWays.has(young)) renamesBothWays.set(young, old);
  return renamesBothWays;
}

/** Replaces all names in a text in one pass, the longest first. */
function textRenaming(renames: Renames): (text: string) => string {
  const names = renameKinds.flatMap((kind) =>
    Object.entries(renames[kind] ?? {}).map(([old, young]) => ({ source: sourceOf[kind](old), old, young, kind })),
  );
  if (names.length === 0) return (text) => text;
  names.sort((a, b) => b.old.length - a.old.length);
  const pattern = new RegExp(names.map(({ source }) => `(${source})`).join("|"), "gu");
  return (text) =>
    text.replace(pattern, (found: string, ...groups: unknown[]) => {
      const { young = found, kind } = names[groups.findIndex((group) => group !== undefined)] ?? {};
      return kind === "headers" && found === lowerCase(found) ? lowerCase(young) : young;
    });
}

const sourceOf: Readonly<Record<(typeof renameKinds)[number], (name: string) => string>> = {
  texts: literal,
  paths: (path) => `${literal(path)}(?![\\w-])`,
  headers: (name) =>
    wholeWord(
      [...literal(name)]
        .map((each) => (/[a-z]/i.test(each) ? `[${each.toLowerCase()}${each.toUpperCase()}]` : each))
        .join(""),
    ),
  ids: (prefix) => `(?<![\\w-])${literal(prefix)}(?=[A-Z0-9-])`,
  // A plain word counts as a member only in the forms `name`, "name": and /name.
  members: (name) =>
    /[^a-z]/.test(name)
      ? wholeWord(literal(name))
      : `(?<=\`)${literal(name)}(?=\`)|(?<=")${literal(name)}(?="\\s*:)|(?<=/)${literal(name)}(?![\\w-])`,
};

function wholeWord(source: string): string {
  return `(?<![\\w-])${source}(?![\\w-])`;
}

function literal(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
}

/** A schema with its names converted. */
export function renamedSchema(schema: Json, renaming: NameChange): Json {
  if (Array.isArray(schema)) return schema.map((each) => renamedSchema(each, renaming));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => [
      keyword,
      renameKeyword(keyword, value, renaming),
    ]),
  );
}

const byMember = new Set(["properties", "dependentRequired", "dependentSchemas", "dependencies"]);
const values = new Set(["const", "enum", "default", "examples"]);
const texts = new Set(["title", "description", "$comment", "$id", "id"]);

function renameKeyword(keyword: string, value: Json, renaming: NameChange): Json {
  if (texts.has(keyword) && typeof value === "string") return renaming.text(value);
  if (keyword === "$ref" && typeof value === "string") {
    const [address = "", pointer] = value.split(/#(.*)/s);
    return `${renaming.text(address)}${pointer === undefined ? "" : `#${renaming.pointer(pointer)}`}`;
  }
  if (values.has(keyword)) return renaming.message(value);
  if (keyword === "required") return renameListed(value, renaming);
  if (byMember.has(keyword) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        renaming.member(name),
        Array.isArray(each) ? renameListed(each, renaming) : renamedSchema(each, renaming),
      ]),
    );
  return renamedSchema(value, renaming);
}

function renameListed(value: Json, renaming: NameChange): Json {
  return Array.isArray(value) ? value.map((each) => (typeof each === "string" ? renaming.member(each) : each)) : value;
}

/** Members of our data that contain messages. */
const messages = new Set(["data", "samples", "in", "body"]);

/**
 * Renames our data about messages, such as a profile or a rule: JSON Pointers (also as member names), messages and sentences, but not the names
 * of its own members.
 */
export function renamedData<T>(data: T, renaming: NameChange): T {
  return walkData(data as Json, renaming) as T;
}

function walkData(data: Json, renaming: NameChange): Json {
  if (typeof data === "string")
    return data.startsWith("/") ? renaming.text(renaming.pointer(data)) : renaming.text(data);
  if (Array.isArray(data)) return data.map((each) => walkData(each, renaming));
  if (!isObject(data)) return data;
  const renamed = Object.entries(data).map(([name, each]): [string, Json] => {
    if (messages.has(name)) return [name, renaming.message(each)];
    if (name === "set" && isObject(each)) return [name, renamePlaces(each, renaming)];
    if (name === "value" && typeof data.op === "string") return [name, renaming.message(each)];
    return [renameKey(name, renaming), walkData(each, renaming)];
  });
  return Object.fromEntries(renamed);
}

function renamePlaces(set: JsonObject, renaming: NameChange): JsonObject {
  return Object.fromEntries(Object.entries(set).map(([at, value]) => [renaming.pointer(at), renaming.message(value)]));
}

/** Renames a member name that is an id, an address or a JSON Pointer. */
function renameKey(name: string, renaming: NameChange): string {
  if (name.startsWith("/")) return renaming.pointer(name);
  const isAddressOrId = /[#:]|^[A-Z][A-Z0-9]*-/.test(name);
  return isAddressOrId ? renaming.text(name) : name;
}
