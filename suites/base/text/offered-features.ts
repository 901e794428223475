import { equal, type Json, pointer, type Rule, type Skip, type ValueConditions } from "../../../schemas/index.ts";
import { quote } from "./show.ts";

/** A value at a place; each star of the place means an item of a list, or a member. */
export interface ConcreteSpot {
  at: string;
  value: Json | undefined;
}

/** The first condition that a JSON value does not meet, in words; undefined if it meets all. A star in a place means each item; at least one is needed. `text` is the value as received. */
export function unmetPart(
  { equal: same = {}, differs = {}, matches = {}, present = [], absent = [], includes = {} }: ValueConditions,
  json: Json | undefined,
  text: string,
): string | undefined {
  const wrongs = [
    ...Object.entries(same).map(([place, value]) =>
      wrongSpot(place, json, (there) =>
        there !== undefined && equal(there, value) ? undefined : `is ${showValue(there)}, not ${showValue(value)}`,
      ),
    ),
    ...Object.entries(differs).map(([place, value]) =>
      wrongSpot(place, json, (there) =>
        there !== undefined && equal(there, value) ? `is ${showValue(value)}` : undefined,
      ),
    ),
    ...Object.entries(matches).map(([place, pattern]) =>
      wrongSpot(place, json, (there) =>
        typeof there === "string" && new RegExp(pattern, "u").test(there)
          ? undefined
          : `is ${showValue(there)}, which does not match ${pattern}`,
      ),
    ),
    ...present.map((place) => {
      const missing = spotsAt(place, json).find(({ value }) => value === undefined);
      const isEmpty = spotsAt(place, json).length === 0;
      return missing || isEmpty ? `there is nothing at "${missing?.at ?? place}": ${quote(text)}` : undefined;
    }),
    ...absent.map((place) => {
      const there = spotsAt(place, json).find(({ value }) => value !== undefined);
      return there && `"${there.at}" is there: ${showValue(there.value)}`;
    }),
    ...Object.entries(includes).map(([place, value]) => unmetList(place, json, value)),
  ];
  return wrongs.find((wrong) => wrong !== undefined);
}

/** The values at a place; without a star exactly one, which may be absent. An object that has a member `*` has it there. */
export function spotsAt(place: string, json: Json | undefined): ConcreteSpot[] {
  let spots: ConcreteSpot[] = [{ at: "", value: json }];
  for (const segment of pointer.segments(place))
    spots = spots.flatMap(({ at, value }) => {
      const memberAt = (name: string | number): ConcreteSpot => {
        const step = pointer.append("", name);
        return { at: `${at}${step}`, value: value === undefined ? undefined : pointer.at(step, value) };
      };
      const isEach = segment === "*" && typeof value === "object" && value !== null && !Object.hasOwn(value, "*");
      return isEach ? Object.keys(value).map(memberAt) : [memberAt(segment)];
    });
  return spots;
}

/** Words for the first value at a place that is wrong, or for the lack of any. */
function wrongSpot(
  place: string,
  json: Json | undefined,
  judge: (value: Json | undefined) => string | undefined,
): string | undefined {
  const spots = spotsAt(place, json);
  if (spots.length === 0) return judge(undefined) && `"${place}" ${judge(undefined)}`;
  for (const { at, value } of spots) {
    const wrong = judge(value);
    if (wrong !== undefined) return `"${at}" ${wrong}`;
  }
  return undefined;
}

/** Words for a list that does not have a value: the list at the place, or the values at a place with a star. */
function unmetList(place: string, json: Json | undefined, value: Json): string | undefined {
  const isStarred = pointer.segments(place).includes("*");
  const [first, ...others] = spotsAt(place, json).map((spot) => spot.value);
  const list = isStarred ? [first, ...others] : first;
  if (Array.isArray(list) && list.some((each) => each !== undefined && equal(each, value))) return undefined;
  const shown = isStarred ? showValue([first, ...others].filter((each) => each !== undefined)) : showValue(first);
  return `"${place}" is ${shown}, which does not include ${showValue(value)}`;
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
    return {
      why:
        json === undefined
          ? `is about a feature, and the target publishes no ${document} that offers it`
          : `is about a feature that the target's ${document} does not offer: ${wrong}`,
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
