import { isObject, type Json, pointer, type Reason, setMember } from "../../../../schemas/index.ts";
import type { Locations } from "../locations.ts";
import type { Variant } from "./variant.ts";

/** Judges again with integers in place of values that were refused as none, if `integer` makes one of them. */
export function withCoercion(integer: (value: Json) => number | undefined): NonNullable<Variant["around"]> {
  return (judge, locations) => (document, value) => {
    const reasons = judge(document, value);
    const wanted = reasons.filter((reason) => wantsInteger(reason, locations)).map((reason) => reason.at as string);
    const other = wanted.reduce((whole, at) => replaceValue(whole, at, integer), value);
    return other === value ? reasons : judge(document, other);
  };
}

function wantsInteger({ keyword, site = "" }: Reason, locations: Locations): boolean {
  return keyword === "type" && locations.at.get(site.slice(0, -"/type".length))?.type === "integer";
}

/** A copy with the integer there; the value itself when there is none to put. */
function replaceValue(value: Json, at: string, integer: (value: Json) => number | undefined): Json {
  const there = pointer.at(at, value);
  const number = there === undefined ? undefined : integer(there);
  if (number === undefined) return value;
  if (at === "") return number;
  const copy = structuredClone(value);
  const { parent, last } = pointer.split(at);
  const holder = pointer.at(parent, copy);
  if (Array.isArray(holder)) holder[Number(last)] = number;
  else if (isObject(holder)) setMember(holder, last, number);
  return copy;
}
