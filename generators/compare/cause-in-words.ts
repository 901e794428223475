import { isObject, type Json } from "../../schemas/index.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import type { AssertionCause } from "./cause.ts";
import { additionalIn } from "./relaxed-model.ts";

const maxLength = 160;

/** Describes an assertion that refuses a part of a message. `keyword` is the keyword in the original schema. */
export function describeCause({ name, value }: AssertionCause, keyword: Keyword | undefined): string {
  if (keyword === undefined) return "nothing is valid here";
  if (keyword.kind === "required" && name !== undefined) return `${jsonText(name)} is required`;
  if (keyword.kind === "enum") return `enum without ${jsonText(value)}`;
  if (keyword.kind === "dependentRequired") return describeDependency(keyword.entries, value);
  const names = additionalIn(keyword, value);
  if (names.length > 0) return `no member ${names.map(jsonText).join(", ")}`;
  return assertionText(keyword);
}

/** Describes the members that a value lacks although others require them. */
function describeDependency(entries: readonly [name: string, required: string[]][], value: Json): string {
  const has = (name: string): boolean => isObject(value) && Object.hasOwn(value, name);
  const absent = entries.flatMap(([name, required]) => {
    const missing = has(name) ? required.filter((requiredName) => !has(requiredName)) : [];
    return missing.length === 0
      ? []
      : [`${missing.map(jsonText).join(", ")} ${missing.length === 1 ? "is" : "are"} required with ${jsonText(name)}`];
  });
  return absent.join(" and ") || "dependentRequired";
}

/** Describes the counterpart of this assertion in the other schema; undefined if the other schema has none. */
export function describeCounterpart({ name, value }: AssertionCause, keyword: Keyword | undefined): string | undefined {
  if (keyword === undefined || (keyword.kind === "required" && name !== undefined && !keyword.names.includes(name)))
    return undefined;
  if (keyword.kind === "enum") return `enum with ${jsonText(value)}`;
  if (keyword.kind === "additionalProperties") return undefined;
  return assertionText(keyword);
}

function assertionText(keyword: Keyword): string {
  switch (keyword.kind) {
    case "type":
      return `type ${keyword.types.join(" or ")}`;
    case "const":
      return `const ${jsonText(keyword.value)}`;
    case "pattern":
      return shortenText(`pattern ${keyword.source}`);
    case "format":
      return `format ${keyword.format}`;
    case "anyOf":
    case "oneOf":
      return `${keyword.kind} of ${keyword.nodes.length}`;
    default:
      return "limit" in keyword ? `${keyword.kind} ${keyword.limit}` : keyword.kind;
  }
}

/** Returns the location of the assertion in the original schema. An entry may have moved since, because other entries were lifted. */
export function siteOf({ site, keyword, name }: AssertionCause, model: Model): Location {
  const keywordNow = keyword === undefined ? undefined : keywordAt(model, keyword.site);
  if (keywordNow?.kind !== "required" || name === undefined) return site;
  return `${keywordNow.site}/${keywordNow.names.indexOf(name)}`;
}

export function keywordAt(model: Model, site: Location): Keyword | undefined {
  const node = model.nodes.get(site.slice(0, site.lastIndexOf("/")));
  const keywordOfNode = node?.keywords.find((keyword) => keyword.site === site);
  if (keywordOfNode !== undefined) return keywordOfNode;
  for (const { keywords } of model.nodes.values())
    for (const keyword of keywords) if (keyword.site === site) return keyword;
  return undefined;
}

function jsonText(value: unknown): string {
  return shortenText(JSON.stringify(value));
}

function shortenText(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
