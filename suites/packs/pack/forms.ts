import {
  type Breach,
  type CheckEntry,
  canonical,
  equal,
  type Forms,
  instantOf,
  isObject,
  type Json,
  ownMember,
  pointer,
  type ValueChoice,
} from "../../../schemas/index.ts";
import { weaveText } from "../../base/text/template.ts";

/** The maximum number of values examined for one check of one message: a message that needs more has tens of megabytes. */
const maxSteps = 1_000_000;

/** A value of the message, and the names that the stars in its place stand for. */
interface FormSpot {
  at: string;
  value: Json;
  items: readonly string[];
}

/** The judgement of one value: false if it satisfies the form, undefined if the form does not apply to it. */
type FormVerdict = { why: string; other?: Json } | false | undefined;

/** One line of a form, which judges each value at its place. */
interface FormLine {
  place: readonly string[];
  judge(spot: FormSpot, read: FormReader): FormVerdict;
  /** Whether the line forbids its values. */
  denies?: true;
}

/** Reads the values at a place, with its first stars bound to items. */
type FormReader = (place: readonly string[], items: readonly string[]) => readonly FormSpot[];

/** Judges a message by a check without code. Throws a RangeError if that needs too many steps, or if a pattern might never end. */
export type FormRuleCheck = (instance: Json) => Generator<Breach>;

/** Compiles a check without code. `regex` makes regular expressions that always end, and `most` is the limit of steps. */
export function formCheck(
  entry: CheckEntry,
  regex: (source: string) => Pick<RegExp, "test">,
  most: number = maxSteps,
): FormRuleCheck {
  const lines = linesOf(entry, regex);
  const conditions = linesOf(entry.when ?? {}, regex);
  const lists = (entry.unique ?? []).map(pointer.segments);
  return function* (instance) {
    const read = readerOf(instance, most);
    const tellBreach = (spot: FormSpot, why: string, other?: Json): Breach => ({
      at: entry.at === undefined ? spot.at : boundTo(pointer.segments(entry.at), spot.items),
      why: entry.why === undefined ? why : weaveText(entry.why, wordsFor(spot, other), String),
      ...(entry.level === undefined ? {} : { level: entry.level }),
    });
    const conditionsHold = (items: readonly string[]) => conditions.every((line) => lineHolds(line, items, read));
    for (const line of lines)
      for (const spot of read(line.place, [])) {
        const verdict = line.judge(spot, read);
        if (verdict && conditionsHold(spot.items)) yield tellBreach(spot, verdict.why, verdict.other);
      }
    for (const list of lists)
      for (const spot of repeatedAt(read(list, [])))
        if (conditionsHold(spot.items)) yield tellBreach(spot, `repeats ${showValue(spot.value)}`);
  };
}

/** Whether a line holds: for some value at its place with the bound stars or, if it denies, for all of them. */
function lineHolds({ place, judge, denies }: FormLine, items: readonly string[], read: FormReader): boolean {
  for (const spot of read(place, items)) {
    const verdict = judge(spot, read);
    if (denies ? verdict : verdict === false) return !denies;
  }
  return denies === true;
}

function linesOf(forms: Forms, regex: (source: string) => Pick<RegExp, "test">): FormLine[] {
  const { equal: same, differs, atMost, oneOf, noneOf, matches, present = [], absent = [], one } = forms;
  return [
    ...formLines(same, (place, other): FormLine => compareLine(place, other, true)),
    ...formLines(differs, (place, other): FormLine => compareLine(place, other, false)),
    ...formLines(atMost, limitLine),
    ...formLines(oneOf, (place, choice): FormLine => choiceLine(place, choice, true)),
    ...formLines(noneOf, (place, choice): FormLine => choiceLine(place, choice, false)),
    ...formLines(matches, (place, source): FormLine => {
      const pattern = regex(source);
      return {
        place: pointer.segments(place),
        judge: ({ value }) =>
          typeof value !== "string"
            ? undefined
            : !pattern.test(value) && { why: `is ${showValue(value)}, which does not match ${source}` },
      };
    }),
    ...present.map((place) => members([place], (there, [name]) => there === 0 && `has no ${name}`)),
    ...absent.map(
      (place): FormLine => ({ place: pointer.segments(place), denies: true, judge: () => ({ why: "is there" }) }),
    ),
    ...(one === undefined ? [] : [members(one, (there, names) => there !== 1 && countText(there, names))]),
  ];
}

function formLines<T>(given: Record<string, T> | undefined, make: (place: string, value: T) => FormLine): FormLine[] {
  return Object.entries(given ?? {}).map(([place, value]) => make(place, value));
}

/** Requires a value to be equal, or not equal, to another value of the message. */
function compareLine(place: string, other: string, isSame: boolean): FormLine {
  const path = pointer.segments(other);
  return {
    place: pointer.segments(place),
    ...(isSame ? {} : { denies: true }),
    judge({ value, items }, read) {
      const { value: against } = read(path, items)[0] ?? {};
      if (against === undefined) return undefined;
      if (equal(value, against) === isSame) return false;
      const why = isSame
        ? `is ${showValue(value)} instead of ${showValue(against)}`
        : `is ${showValue(value)}, as ${other} is`;
      return { why, other: against };
    },
  };
}

/** Requires a number or an instant to be at most another one of the message; other values are not judged. */
function limitLine(place: string, other: string): FormLine {
  const path = pointer.segments(other);
  return {
    place: pointer.segments(place),
    judge({ value, items }, read) {
      const { value: most } = read(path, items)[0] ?? {};
      const order = most === undefined ? undefined : orderOf(value, most);
      if (most === undefined || order === undefined) return undefined;
      return order > 0 && { why: `is ${showValue(value)}, more than ${showValue(most)} at ${other}`, other: most };
    },
  };
}

/** Compares two values: positive if the first is greater or later; undefined unless both are numbers or both instants. */
function orderOf(one: Json, other: Json): number | undefined {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one !== "string" || typeof other !== "string") return undefined;
  const [first, second] = [instantOf(one), instantOf(other)];
  return first === undefined || second === undefined ? undefined : first - second;
}

/** Requires a value to be in a list, or not to be in it. */
function choiceLine(place: string, choice: ValueChoice, isIn: boolean): FormLine {
  const valuesFor = choicesOf(choice);
  return {
    place: pointer.segments(place),
    ...(isIn ? {} : { denies: true }),
    judge({ value, items }, read) {
      const { values, when = "" } = valuesFor(items, read);
      if (values === undefined) return undefined;
      if (values.some((one) => equal(one, value)) === isIn) return false;
      const all = values.slice(0, 8).map(showValue).join(", ");
      return {
        why: isIn ? `is ${showValue(value)}, not one of ${all || "none"}${when}` : `is ${showValue(value)}${when}`,
      };
    },
  };
}

/** The values to choose from; undefined if the present values decide nothing. */
function choicesOf(
  choice: ValueChoice,
): (items: readonly string[], read: FormReader) => { values?: readonly Json[] | undefined; when?: string } {
  if (Array.isArray(choice)) return () => ({ values: choice });
  if (typeof choice === "string") {
    const list = pointer.segments(choice);
    return (items, read) => {
      const values = read(list, items).map(({ value }) => value);
      return values.length === 0 ? {} : { values };
    };
  }
  const by = pointer.segments(choice.by);
  return (items, read) => {
    const { value } = read(by, items)[0] ?? {};
    const key = typeof value === "string" ? value : JSON.stringify(value);
    return { values: ownMember(choice.values, key ?? ""), when: `, where ${choice.by} is ${key}` };
  };
}

/** Counts which of these members one object has. */
function members(
  places: readonly string[],
  complain: (there: number, names: readonly string[]) => string | false,
): FormLine {
  const names = places.map((place) => pointer.split(place).last);
  return {
    place: pointer.segments(pointer.split(places[0] as string).parent),
    judge({ value }) {
      if (!isObject(value)) return undefined;
      const there = names.filter((name) => Object.hasOwn(value, name));
      const amiss = complain(there.length, there.length === 0 ? names : there);
      return amiss === false ? false : { why: amiss };
    },
  };
}

function countText(there: number, names: readonly string[]): string {
  return there === 0 ? `has none of ${names.join(", ")}` : `has ${names.join(" and ")} at once`;
}

/** The values that an earlier item of the same list has as well. */
function* repeatedAt(spots: Iterable<FormSpot>): Generator<FormSpot> {
  const lists = new Map<string, Set<string>>();
  for (const spot of spots) {
    const list = spot.items.slice(0, -1).map(pointer.escaped).join("/");
    const seen = lists.get(list) ?? new Set();
    lists.set(list, seen);
    const text = textOf(spot.value);
    if (seen.has(text)) yield spot;
    seen.add(text);
  }
}

function readerOf(instance: Json, most: number): FormReader {
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps > most) throw new RangeError(`it needs more than ${most} steps`);
  };
  return (place, given) => {
    const found: FormSpot[] = [];
    const visitBelow = (value: Json, depth: number, items: readonly string[], at: string): void => {
      step();
      const segment = place[depth];
      if (segment === undefined) {
        found.push({ at, value, items });
        return;
      }
      const bound = segment === "*" ? given[items.length] : segment;
      for (const name of bound === undefined ? namesIn(value) : [bound]) {
        const next = memberOf(value, name);
        if (next !== undefined)
          visitBelow(next, depth + 1, segment === "*" ? [...items, name] : items, pointer.append(at, name));
      }
    };
    visitBelow(instance, 0, [], "");
    return found;
  };
}

function namesIn(value: Json): readonly string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** An own member or item: inherited ones do not count. */
function memberOf(value: Json, name: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]*)$/.test(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function boundTo(place: readonly string[], items: readonly string[]): string {
  let star = 0;
  return place.map((segment) => `/${pointer.escaped(segment === "*" ? (items[star++] ?? "*") : segment)}`).join("");
}

function wordsFor({ value }: FormSpot, other: Json | undefined): Record<string, Json> {
  return { value: showValue(value), other: other === undefined ? "" : showValue(other) };
}

/** The same text for equal values; half a surrogate pair has no canonical text. */
function textOf(value: Json): string {
  return typeof value === "string" ? JSON.stringify(value) : canonical(value);
}

function showValue(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return "an object";
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
