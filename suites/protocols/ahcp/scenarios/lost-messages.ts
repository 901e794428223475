import { equal, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { abbreviateValue, differenceIn } from "../../../base/text/difference.ts";

/**
 * A JSON Pointer to the first place of the sent message that the shown one lacks; undefined if it is complete. Values
 * that the hub adds to a confirm without options, or as its defaults, may be present.
 */
export function firstLost(shown: Json | undefined, sent: Json, at = ""): string | undefined {
  if (Array.isArray(sent)) {
    if (!Array.isArray(shown) || shown.length !== sent.length) return at;
    return first(sent.map((each, index) => firstLost(shown[index], each, `${at}/${index}`)));
  }
  if (!isObject(sent)) return shown !== undefined && equal(shown, sent) ? undefined : at;
  if (!isObject(shown)) return at;
  return first(
    Object.entries(sent).map(([name, value]) => {
      // An undefined member is not sent.
      if (value === undefined) return undefined;
      const there = Object.hasOwn(shown, name) ? shown[name] : undefined;
      return firstLost(there, value, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }),
  );
}

/** The shown value at a place, beside the sent value; for long texts the part that differs. */
export function becameOf(place: string | undefined, shown: Json | undefined, sent: Json): string {
  if (place === undefined) return "";
  const now = shown === undefined ? undefined : pointer.at(place, shown);
  const then = pointer.at(place, sent);
  if (then === undefined) return `it was absent, and now it is ${abbreviateValue(now ?? null)}`;
  return differenceIn(then, now, "it") ?? "it is the same";
}

function first(places: readonly (string | undefined)[]): string | undefined {
  return places.find((place) => place !== undefined);
}
