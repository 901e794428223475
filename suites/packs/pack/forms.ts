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
import { insertParameters } from "../../base/text/template.ts";

/** The maximum number of values examined for one check of one message: a message that needs more has tens of megabytes. */
const maxSteps = 1_000_000;

/** A value of the message. `items` are the names that its location has in place of the stars. */
interface FormSpot {
  at: string;
  value: Json;
  items: readonly string[];
}

/** The judgement of one value: false if it satisfies the form, undefined if the form does not apply to it. */
type FormVerdict = { why: string; comparedWith?: Json } | false | undefined;

/** One line of a form, which judges each value at its place. */
interface FormLine {
  place: readonly string[];
  judge(spot: FormSpot, reader: FormReader): FormVerdict;
  /** Set if the line forbids the values at its place. */
  forbids?: true;
}

/** Reads the values at a place, with its first stars bound to items. */
type FormReader = (place: readonly string[], items: readonly string[]) => readonly FormSpot[];

/** Judges a message by a check without code. Throws a RangeError if the check needs too many steps, or if a match might never terminate. */
export type FormRuleCheck = (instance: Json) => Generator<Breach>;

/** Compiles a check without code. `regex` makes regular expressions that always terminate; `stepLimit` limits the steps. */
export function formCheck(
  entry: CheckEntry,
  regex: (source: string) => Pick<RegExp, "test">,
  stepLimit: number = maxSteps,
): FormRuleCheck {
  const lines = compileLines(entry, regex);
  const conditions = compileLines(entry.when ?? {}, regex);
  const uniquePlaces = (entry.unique ?? []).map(pointer.segments);
  return function* (instance) {
    const reader = formReader(instance, stepLimit);
    const breachAt = (spot: FormSpot, why: string, comparedWith?: Json): Breach => ({
      at: entry.at === undefined ? spot.at : bindStars(pointer.segments(entry.at), spot.items),
      why: entry.why === undefined ? why : insertParameters(entry.why, templateValues(spot, comparedWith), String),
      ...(entry.level === undefined ? {} : { level: entry.level }),
    });
    const meetsConditions = (items: readonly string[]) => conditions.every((line) => lineHolds(line, items, reader));
    for (const line of lines)
      for (const spot of reader(line.place, [])) {
        const verdict = line.judge(spot, reader);
        if (verdict && meetsConditions(spot.items)) yield breachAt(spot, verdict.why, verdict.comparedWith);
      }
    for (const place of uniquePlaces)
      for (const spot of repeatedSpots(reader(place, [])))
        if (meetsConditions(spot.items)) yield breachAt(spot, `repeats ${showValue(spot.value)}`);
  };
}

/** Whether a line holds, with the stars of its place bound to the items. One value that satisfies it is enough, unless the line forbids values. */
function lineHolds({ place, judge, forbids }: FormLine, items: readonly string[], reader: FormReader): boolean {
  for (const spot of reader(place, items)) {
    const verdict = judge(spot, reader);
    if (forbids ? verdict : verdict === false) return !forbids;
  }
  return forbids === true;
}

function compileLines(forms: Forms, regex: (source: string) => Pick<RegExp, "test">): FormLine[] {
  const {
    equal: equalPlaces,
    differs,
    atMost,
    oneOf,
    noneOf,
    matches,
    present = [],
    absent = [],
    one: exactlyOne,
  } = forms;
  return [
    ...formLines(equalPlaces, (place, other): FormLine => compareLine(place, other, true)),
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
    ...present.map((place) => memberCountLine([place], (count, [name]) => count === 0 && `has no ${name}`)),
    ...absent.map(
      (place): FormLine => ({ place: pointer.segments(place), forbids: true, judge: () => ({ why: "is there" }) }),
    ),
    ...(exactlyOne === undefined
      ? []
      : [memberCountLine(exactlyOne, (count, names) => count !== 1 && describeCount(count, names))]),
  ];
}

function formLines<T>(
  form: Record<string, T> | undefined,
  makeLine: (place: string, value: T) => FormLine,
): FormLine[] {
  return Object.entries(form ?? {}).map(([place, value]) => makeLine(place, value));
}

/** Requires a value to be equal, or not equal, to another value in the message. */
function compareLine(place: string, other: string, mustBeEqual: boolean): FormLine {
  const otherPlace = pointer.segments(other);
  return {
    place: pointer.segments(place),
    ...(mustBeEqual ? {} : { forbids: true }),
    judge({ value, items }, reader) {
      const { value: otherValue } = reader(otherPlace, items)[0] ?? {};
      if (otherValue === undefined) return undefined;
      if (equal(value, otherValue) === mustBeEqual) return false;
      const why = mustBeEqual
        ? `is ${showValue(value)} instead of ${showValue(otherValue)}`
        : `is ${showValue(value)}, as ${other} is`;
      return { why, comparedWith: otherValue };
    },
  };
}

/** Requires a number or an instant to be at most another one in the message. Other values are not judged. */
function limitLine(place: string, other: string): FormLine {
  const otherPlace = pointer.segments(other);
  return {
    place: pointer.segments(place),
    judge({ value, items }, reader) {
      const { value: limit } = reader(otherPlace, items)[0] ?? {};
      const order = limit === undefined ? undefined : compareValues(value, limit);
      if (limit === undefined || order === undefined) return undefined;
      return (
        order > 0 && { why: `is ${showValue(value)}, more than ${showValue(limit)} at ${other}`, comparedWith: limit }
      );
    },
  };
}

/** Compares two values: positive if the first is greater or later; undefined unless both are numbers or both instants. */
function compareValues(left: Json, right: Json): number | undefined {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left !== "string" || typeof right !== "string") return undefined;
  const [firstInstant, secondInstant] = [instantOf(left), instantOf(right)];
  return firstInstant === undefined || secondInstant === undefined ? undefined : firstInstant - secondInstant;
}

/** Requires a value to be in a list, or not to be in it. */
function choiceLine(place: string, choice: ValueChoice, mustContain: boolean): FormLine {
  const valuesFor = choiceReader(choice);
  return {
    place: pointer.segments(place),
    ...(mustContain ? {} : { forbids: true }),
    judge({ value, items }, reader) {
      const { values, condition = "" } = valuesFor(items, reader);
      if (values === undefined) return undefined;
      if (values.some((accepted) => equal(accepted, value)) === mustContain) return false;
      const shownValues = values.slice(0, 8).map(showValue).join(", ");
      return {
        why: mustContain
          ? `is ${showValue(value)}, not one of ${shownValues || "none"}${condition}`
          : `is ${showValue(value)}${condition}`,
      };
    },
  };
}

/** The values to choose from; undefined if the message does not determine them. */
function choiceReader(
  choice: ValueChoice,
): (items: readonly string[], reader: FormReader) => { values?: readonly Json[] | undefined; condition?: string } {
  if (Array.isArray(choice)) return () => ({ values: choice });
  if (typeof choice === "string") {
    const list = pointer.segments(choice);
    return (items, reader) => {
      const values = reader(list, items).map(({ value }) => value);
      return values.length === 0 ? {} : { values };
    };
  }
  const keyPlace = pointer.segments(choice.by);
  return (items, reader) => {
    const { value } = reader(keyPlace, items)[0] ?? {};
    const key = typeof value === "string" ? value : JSON.stringify(value);
    return { values: ownMember(choice.values, key ?? ""), condition: `, where ${choice.by} is ${key}` };
  };
}

/** Counts these members in one object. `faultOf` receives the count and the names of the present members, or all names if none is present. */
function memberCountLine(
  places: readonly string[],
  faultOf: (count: number, names: readonly string[]) => string | false,
): FormLine {
  const names = places.map((place) => pointer.split(place).last);
  return {
    place: pointer.segments(pointer.split(places[0] as string).parent),
    judge({ value }) {
      if (!isObject(value)) return undefined;
      const present = names.filter((name) => Object.hasOwn(value, name));
      const fault = faultOf(present.length, present.length === 0 ? names : present);
      return fault === false ? false : { why: fault };
    },
  };
}

function describeCount(count: number, names: readonly string[]): string {
  return count === 0 ? `has none of ${names.join(", ")}` : `has ${names.join(" and ")} at once`;
}

/** The values that repeat the value of an earlier item of the same list. */
function* repeatedSpots(spots: Iterable<FormSpot>): Generator<FormSpot> {
  const seenByList = new Map<string, Set<string>>();
  for (const spot of spots) {
    const list = spot.items.slice(0, -1).map(pointer.escaped).join("/");
    const seen = seenByList.get(list) ?? new Set();
    seenByList.set(list, seen);
    const text = textOf(spot.value);
    if (seen.has(text)) yield spot;
    seen.add(text);
  }
}

function formReader(instance: Json, stepLimit: number): FormReader {
  let steps = 0;
  const countStep = (): void => {
    steps += 1;
    if (steps > stepLimit) throw new RangeError(`it needs more than ${stepLimit} steps`);
  };
  return (place, boundItems) => {
    const spots: FormSpot[] = [];
    const visitBelow = (value: Json, depth: number, items: readonly string[], at: string): void => {
      countStep();
      const segment = place[depth];
      if (segment === undefined) {
        spots.push({ at, value, items });
        return;
      }
      const boundName = segment === "*" ? boundItems[items.length] : segment;
      for (const name of boundName === undefined ? namesIn(value) : [boundName]) {
        const member = memberOf(value, name);
        if (member !== undefined)
          visitBelow(member, depth + 1, segment === "*" ? [...items, name] : items, pointer.append(at, name));
      }
    };
    visitBelow(instance, 0, [], "");
    return spots;
  };
}

function namesIn(value: Json): readonly string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** The member or item of a value, unless it is inherited. */
function memberOf(value: Json, name: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]*)$/.test(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function bindStars(place: readonly string[], items: readonly string[]): string {
  let star = 0;
  return place.map((segment) => `/${pointer.escaped(segment === "*" ? (items[star++] ?? "*") : segment)}`).join("");
}

function templateValues({ value }: FormSpot, other: Json | undefined): Record<string, Json> {
  return { value: showValue(value), other: other === undefined ? "" : showValue(other) };
}

/** A string that is the same for equal values. Strings skip the canonical form, because it does not exist for half a surrogate pair. */
function textOf(value: Json): string {
  return typeof value === "string" ? JSON.stringify(value) : canonical(value);
}

function showValue(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return "an object";
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
