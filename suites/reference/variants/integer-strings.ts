import { isObject, type Json, pointer, type Reason, setMember } from "../../../schemas/index.ts";
import type { Locations } from "../locations.ts";
import type { Variant } from "./variant.ts";

export const integerStrings: Variant = {
  name: "integer-strings",
  description: 'takes the text "300" for the integer 300',
  touches: (schema) => schema.type === "integer",
  around: (judge, locations) => (document, value) => {
    const reasons = judge(document, value);
    const wanted = reasons.filter((reason) => wantsInteger(reason, locations)).map((reason) => reason.at as string);
    const coerced = wanted.reduce(withInteger, value);
    return coerced === value ? reasons : judge(document, coerced);
  },
};

function wantsInteger({ keyword, site = "" }: Reason, locations: Locations): boolean {
  return keyword === "type" && locations.at.get(site.slice(0, -"/type".length))?.type === "integer";
}

/** A copy with the integer in place of its text there; the value itself when there is no such text. */
function withInteger(value: Json, at: string): Json {
  const text = pointer.at(at, value);
  if (typeof text !== "string" || !/^-?\d+$/.test(text)) return value;
  if (at === "") return Number(text);
  const copy = structuredClone(value);
  const { parent, last } = pointer.split(at);
  const holder = pointer.at(parent, copy);
  if (Array.isArray(holder)) holder[Number(last)] = Number(text);
  else if (isObject(holder)) setMember(holder, last, Number(text));
  return copy;
}
