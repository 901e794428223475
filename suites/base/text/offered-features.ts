import { equal, type Json, pointer, type Rule, type Skip, type ValueConditions } from "../../../schemas/index.ts";
import { quote } from "./show.ts";

/** The first condition that a JSON value does not meet, in words; undefined if it meets all. `text` is the value as received. */
export function unmetPart(
  { equal: same = {}, differs = {}, matches = {}, present = [], absent = [], includes = {} }: ValueConditions,
  json: Json | undefined,
  text: string,
): string | undefined {
  const valueAt = (place: string): Json | undefined => (json === undefined ? undefined : pointer.at(place, json));
  for (const [place, value] of Object.entries(same)) {
    const there = valueAt(place);
    if (there === undefined || !equal(there, value))
      return `"${place}" is ${showValue(there)}, not ${showValue(value)}`;
  }
  for (const [place, value] of Object.entries(differs)) {
    const there = valueAt(place);
    if (there !== undefined && equal(there, value)) return `"${place}" is ${showValue(value)}`;
  }
  for (const [place, pattern] of Object.entries(matches)) {
    const there = valueAt(place);
    if (typeof there !== "string" || !new RegExp(pattern, "u").test(there))
      return `"${place}" is ${showValue(there)}, which does not match ${pattern}`;
  }
  for (const place of present)
    if (valueAt(place) === undefined) return `there is nothing at "${place}": ${quote(text)}`;
  for (const place of absent)
    if (valueAt(place) !== undefined) return `"${place}" is there: ${showValue(valueAt(place))}`;
  for (const [place, value] of Object.entries(includes)) {
    const there = valueAt(place);
    if (!Array.isArray(there) || !there.some((each) => equal(each, value)))
      return `"${place}" is ${showValue(there)}, which does not include ${showValue(value)}`;
  }
  return undefined;
}

function showValue(value: Json | undefined): string {
  return value === undefined ? "nothing" : quote(JSON.stringify(value));
}

/** The names of the documents that decide whether a rule applies. */
export function documentsOf({ when = {}, unless = {} }: Pick<Rule, "when" | "unless">): string[] {
  return [...new Set([...Object.keys(when), ...Object.keys(unless)])];
}

/** The reason not to test something on a party, according to the documents that the party publishes about itself; undefined if it is tested. */
export function skipUnoffered(
  { when = {}, unless = {} }: Pick<Rule, "when" | "unless">,
  published: ReadonlyMap<string, Json | undefined>,
): Skip | undefined {
  for (const [document, part] of Object.entries(when)) {
    const json = published.get(document);
    const wrong = unmetPart(part, json, JSON.stringify(json) ?? "");
    if (wrong === undefined) continue;
    const why =
      json === undefined ? `the target publishes no ${document}` : `its ${document} does not say so: ${wrong}`;
    return {
      why: `is asked of a target whose ${document} says that it has this: ${why}`,
      cause: { kind: "not-offered", document },
    };
  }
  for (const [document, part] of Object.entries(unless)) {
    const json = published.get(document);
    if (json === undefined || unmetPart(part, json, "") !== undefined) continue;
    return {
      why: `is not asked of a target whose ${document} says this: ${JSON.stringify(part)}`,
      cause: { kind: "not-offered", document },
    };
  }
  return undefined;
}
