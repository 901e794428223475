import { equal, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { differenceIn, valueInShort } from "../../../base/text/difference.ts";

/**
 * JSON pointer to the first place where what is shown does not hold what was sent; undefined when it holds it all.
 * What was made up where a confirm brings no options, or where the hub has defaults, may be there too.
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
      // What a message is made without is not sent.
      if (value === undefined) return undefined;
      const there = Object.hasOwn(shown, name) ? shown[name] : undefined;
      return firstLost(there, value, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }),
  );
}

/** The shown value at a place, beside the sent value; of long texts the part that differs. */
export function becameOf(place: string | undefined, shown: Json | undefined, sent: Json): string {
  if (place === undefined) return "";
  const now = shown === undefined ? undefined : pointer.at(place, shown);
  const then = pointer.at(place, sent);
  if (then === undefined) return `it was not there, and now it is ${valueInShort(now ?? null)}`;
  return differenceIn(then, now, "it") ?? "it is the same";
}

function first(places: readonly (string | undefined)[]): string | undefined {
  return places.find((place) => place !== undefined);
}
