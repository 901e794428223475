import { copyOf, dialectOf, isObject, type Json, type JsonObject, setMember, subschemas } from "../../schemas/index.ts";

/** A schema as Hyperjump compiles it. Declared here, because users who type-check all packages cannot use Hyperjump's own types. */
export interface Compiled {
  schemaUri: string;
  /** The keywords of each schema, by its address: keyword, place, value. */
  ast: Record<string, [keyword: string, place: string, value: unknown][] | boolean> & {
    metaData: Record<string, { dynamicAnchors: Record<string, string> }>;
  };
}

/** Keywords with data as values, even if the data look like schemas. */
const dataKeywords = ["enum", "const", "default", "examples"];
/** Members that Hyperjump reads as identifiers and references at any place. */
const referenceMember =
  /"(?:\$(?:id|ref|schema|anchor|dynamicAnchor|dynamicRef|recursiveAnchor|recursiveRef|vocabulary)|id)":/;
const maskPrefix = "touchstone-data:";

/** Renames members of a schema in data that contains a member which Hyperjump would rewrite. `unmaskData` restores the names. */
export function maskData(document: JsonObject): JsonObject {
  const text = JSON.stringify(document);
  const dialect = dialectOf(document.$schema);
  if (dialect === undefined || !referenceMember.test(text) || !dataKeywords.some((name) => text.includes(`"${name}":`)))
    return document;
  const copy = copyOf(document) as JsonObject;
  let isChanged = false;
  const queue = [{ schema: copy, dialect }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { schema } = next;
    for (const name of dataKeywords) {
      const data = Object.hasOwn(schema, name) ? schema[name] : undefined;
      if (data === undefined || !referenceMember.test(JSON.stringify(data))) continue;
      schema[name] = renameMembers(data, (member) => `${maskPrefix}${member}`);
      isChanged = true;
    }
    for (const { schema: below } of subschemas(schema, next.dialect))
      if (isObject(below)) queue.push({ schema: below, dialect: dialectOf(below.$schema) ?? next.dialect });
  }
  return isChanged ? copy : document;
}

/** Restores the names of masked data in the compiled schema. There, constants are JSON strings with sorted members. */
export function unmaskData<Of extends Compiled>(compiled: Of): Of {
  for (const [name, entries] of Object.entries(compiled.ast as Record<string, unknown>)) {
    if (name === "metaData" || name === "plugins" || !Array.isArray(entries)) continue;
    for (const entry of entries as [keyword: string, site: string, value: unknown][]) {
      if (!/\/(?:const|enum)$/.test(entry[0])) continue;
      const { 2: value } = entry;
      if (typeof value === "string") entry[2] = unmaskText(value);
      else if (Array.isArray(value)) entry[2] = value.map(unmaskText);
    }
  }
  return compiled;
}

function unmaskText(text: string): string {
  if (!text.includes(`"${maskPrefix}`)) return text;
  const isMasked = (member: string): boolean => member.startsWith(maskPrefix);
  return sortMembers(
    renameMembers(JSON.parse(text) as Json, (member) => (isMasked(member) ? member.slice(maskPrefix.length) : member)),
  );
}

/** Writes constants as Hyperjump does, because they are compared as strings. */
function sortMembers(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortMembers).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${sortMembers(value[name] as Json)}`).join(",")}}`;
}

function renameMembers(value: Json, name: (member: string) => string): Json {
  if (Array.isArray(value)) return value.map((each) => renameMembers(each, name));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [member, each] of Object.entries(value)) setMember(copy, name(member), renameMembers(each, name));
  return copy;
}
