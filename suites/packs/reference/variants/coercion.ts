import { isObject, type Json, pointer, type Reason, setMember } from "../../../../schemas/index.ts";
import type { Locations } from "../locations.ts";
import type { Variant } from "./variant.ts";

/** Wraps a judge: values that are refused because they are not integers are replaced by the integers that `toInteger` returns, and the message is judged again. */
export function withCoercion(toInteger: (value: Json) => number | undefined): NonNullable<Variant["wrapJudge"]> {
  return (judge, locations) => (document, value) => {
    const reasons = judge(document, value);
    const places = reasons.filter((reason) => wantsInteger(reason, locations)).map((reason) => reason.at as string);
    const coerced = places.reduce((message, at) => replaceValue(message, at, toInteger), value);
    return coerced === value ? reasons : judge(document, coerced);
  };
}

function wantsInteger({ keyword, site = "" }: Reason, locations: Locations): boolean {
  return keyword === "type" && locations.schemasByLocation.get(site.slice(0, -"/type".length))?.type === "integer";
}

/** A copy with the integer in place of the value; the original if there is no such integer. */
function replaceValue(value: Json, at: string, toInteger: (value: Json) => number | undefined): Json {
  const current = pointer.at(at, value);
  const number = current === undefined ? undefined : toInteger(current);
  if (number === undefined) return value;
  if (at === "") return number;
  const copy = structuredClone(value);
  const { parent, last } = pointer.split(at);
  const holder = pointer.at(parent, copy);
  if (Array.isArray(holder)) holder[Number(last)] = number;
  else if (isObject(holder)) setMember(holder, last, number);
  return copy;
}
