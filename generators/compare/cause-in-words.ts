import { isObject, type Json } from "../../schemas/index.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import type { AssertionCause } from "./cause.ts";
import { additionalIn } from "./relaxed-model.ts";

const maxLength = 160;

/** An assertion that refuses a part of a message, in a few words. `keyword` is as the schema has it. */
export function describeCause({ name, value }: AssertionCause, keyword: Keyword | undefined): string {
  if (keyword === undefined) return "nothing is valid here";
  if (keyword.kind === "required" && name !== undefined) return `${jsonText(name)} is required`;
  if (keyword.kind === "enum") return `enum without ${jsonText(value)}`;
  if (keyword.kind === "dependentRequired") return describeDependency(keyword.entries, value);
  const names = additionalIn(keyword, value);
  if (names.length > 0) return `no member ${names.map(jsonText).join(", ")}`;
  return assertionText(keyword);
}

/** The members that are absent from a value although others require them. */
function describeDependency(entries: readonly [name: string, required: string[]][], value: Json): string {
  const has = (name: string): boolean => isObject(value) && Object.hasOwn(value, name);
  const absent = entries.flatMap(([name, required]) => {
    const missing = has(name) ? required.filter((each) => !has(each)) : [];
    return missing.length === 0
      ? []
      : [`${missing.map(jsonText).join(", ")} ${missing.length === 1 ? "is" : "are"} required with ${jsonText(name)}`];
  });
  return absent.join(" and ") || "dependentRequired";
}

/** The counterpart of this assertion in the other schema; undefined if the other schema has no assertion with the keyword. */
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

/** The location of the assertion in the given schema. Part of the assertion may have been lifted since. */
export function siteOf({ site, keyword, name }: AssertionCause, model: Model): Location {
  const given = keyword === undefined ? undefined : keywordAt(model, keyword.site);
  if (given?.kind !== "required" || name === undefined) return site;
  return `${given.site}/${given.names.indexOf(name)}`;
}

export function keywordAt(model: Model, site: Location): Keyword | undefined {
  const node = model.nodes.get(site.slice(0, site.lastIndexOf("/")));
  const near = node?.keywords.find((keyword) => keyword.site === site);
  if (near !== undefined) return near;
  for (const { keywords } of model.nodes.values())
    for (const keyword of keywords) if (keyword.site === site) return keyword;
  return undefined;
}

function jsonText(value: unknown): string {
  return shortenText(JSON.stringify(value));
}

function shortenText(long: string): string {
  return long.length > maxLength ? `${long.slice(0, maxLength)}…` : long;
}
