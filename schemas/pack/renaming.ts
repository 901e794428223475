import type { Renames } from "../extension.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { escaped } from "../pointer.ts";

/** Converts the names of one pack to those of another. */
export interface NameChange {
  id(id: string): string;
  member(name: string): string;
  pointer(pointer: string): string;
  /** Renames in a sentence, an address, or the text of a message. */
  text(text: string): string;
  /** Renames the members and the string values of a message. */
  message(value: Json): Json;
  /** Renames only the members; the string values of a judged message stay. */
  members(value: Json): Json;
  /** The reverse conversion. */
  back(): NameChange;
}

/** The kinds of renames, in search order. */
export const renameKinds = ["texts", "paths", "headers", "ids", "members"] as const;

/** Creates the conversion from the parent's names to the pack's. It must be reversible: no two names may become one. */
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
    if (Array.isArray(value)) return value.map((item) => walkMessage(item, text));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, memberValue]) => [member(name), walkMessage(memberValue, text)]),
    );
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
  return Object.fromEntries(Object.entries(names).map(([oldName, newName]) => [newName, oldName]));
}

/** Adds the reverse renames, so that a name already used by the other pack is renamed too, and no two members become one. */
function withReverse(names: Readonly<Record<string, string>>): Map<string, string> {
  const renamesBothWays = new Map(Object.entries(names));
  for (const [oldName, newName] of Object.entries(names))
    if (!renamesBothWays.has(newName)) renamesBothWays.set(newName, oldName);
  return renamesBothWays;
}

/** Replaces all names in a text in one pass, the longest first. */
function textRenaming(renames: Renames): (text: string) => string {
  const names = renameKinds.flatMap((kind) =>
    Object.entries(renames[kind] ?? {}).map(([oldName, newName]) => ({
      source: sourceOf[kind](oldName),
      oldName,
      newName,
      kind,
    })),
  );
  if (names.length === 0) return (text) => text;
  names.sort((a, b) => b.oldName.length - a.oldName.length);
  const pattern = new RegExp(names.map(({ source }) => `(${source})`).join("|"), "gu");
  return (text) =>
    text.replace(pattern, (match: string, ...groups: unknown[]) => {
      const { newName = match, kind } = names[groups.findIndex((group) => group !== undefined)] ?? {};
      return kind === "headers" && match === lowerCase(match) ? lowerCase(newName) : newName;
    });
}

const sourceOf: Readonly<Record<(typeof renameKinds)[number], (name: string) => string>> = {
  texts: literal,
  paths: (path) => `${literal(path)}(?![\\w-])`,
  headers: (name) =>
    wholeWord(
      [...literal(name)]
        .map((character) =>
          /[a-z]/i.test(character) ? `[${character.toLowerCase()}${character.toUpperCase()}]` : character,
        )
        .join(""),
    ),
  ids: (prefix) => `(?<![\\w-])${literal(prefix)}(?=[A-Z0-9-])`,
  // A plain word might be ordinary text, so it is a member only in the forms `name`, "name": and /name.
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

/** Copies a schema with its names converted. */
export function renamedSchema(schema: Json, renaming: NameChange): Json {
  if (Array.isArray(schema)) return schema.map((item) => renamedSchema(item, renaming));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => [
      keyword,
      renameKeyword(keyword, value, renaming),
    ]),
  );
}

const memberMapKeywords = new Set(["properties", "dependentRequired", "dependentSchemas", "dependencies"]);
const messageKeywords = new Set(["const", "enum", "default", "examples"]);
const textKeywords = new Set(["title", "description", "$comment", "$id", "id"]);

function renameKeyword(keyword: string, value: Json, renaming: NameChange): Json {
  if (textKeywords.has(keyword) && typeof value === "string") return renaming.text(value);
  if (keyword === "$ref" && typeof value === "string") {
    const [address = "", pointer] = value.split(/#(.*)/s);
    return `${renaming.text(address)}${pointer === undefined ? "" : `#${renaming.pointer(pointer)}`}`;
  }
  if (messageKeywords.has(keyword)) return renaming.message(value);
  if (keyword === "required") return renameListed(value, renaming);
  if (memberMapKeywords.has(keyword) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, memberValue]) => [
        renaming.member(name),
        Array.isArray(memberValue) ? renameListed(memberValue, renaming) : renamedSchema(memberValue, renaming),
      ]),
    );
  return renamedSchema(value, renaming);
}

function renameListed(value: Json, renaming: NameChange): Json {
  return Array.isArray(value)
    ? value.map((listedName) => (typeof listedName === "string" ? renaming.member(listedName) : listedName))
    : value;
}

/** Members of our data that contain messages. */
const messageMembers = new Set(["data", "samples", "in", "body"]);

/**
 * Renames our data about messages, such as a profile or a rule: JSON Pointers (also as member names), messages and sentences, but not the names
 * of its own members.
 */
export function renamedData<T>(data: T, renaming: NameChange): T {
  return renameData(data as Json, renaming) as T;
}

function renameData(data: Json, renaming: NameChange): Json {
  if (typeof data === "string")
    return data.startsWith("/") ? renaming.text(renaming.pointer(data)) : renaming.text(data);
  if (Array.isArray(data)) return data.map((item) => renameData(item, renaming));
  if (!isObject(data)) return data;
  const renamed = Object.entries(data).map(([name, memberValue]): [string, Json] => {
    if (messageMembers.has(name)) return [name, renaming.message(memberValue)];
    if (name === "set" && isObject(memberValue)) return [name, renamePlaces(memberValue, renaming)];
    if (name === "value" && typeof data.op === "string") return [name, renaming.message(memberValue)];
    return [renameKey(name, renaming), renameData(memberValue, renaming)];
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
