import { isObject, type Json, pointer, type Reason, setMember } from "../../../../schemas/index.ts";
import type { Locations } from "../locations.ts";
import type { Variant } from "./variant.ts";

/** Judges again, with each value that was refused for not being an integer replaced by the one that `integer` makes of it. */
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

/** A copy with the integer at that place; the value itself if there is no integer to put there. */
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
