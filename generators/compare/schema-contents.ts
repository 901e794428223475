import { childrenOf, handlerOf } from "../keywords/table.ts";
import type { Keyword, Location, Model, Node } from "../model/model.ts";

/** The number of each schema of a model: schemas with the same number judge every value alike. */
export type Numbers = ReadonlyMap<Location, number>;

/** A keyword without its place, and without the content of its schemas. */
export interface Content {
  text: string;
  children: Location[];
  /** Whether the order of its schemas is irrelevant. */
  isUnordered: boolean;
}

const contents = new WeakMap<Keyword, Content>();

export function contentOf(keyword: Keyword): Content {
  let content = contents.get(keyword);
  if (content === undefined) {
    const { kind } = keyword;
    const sortedKeyword = sortLists(keyword);
    const { site: _, ...rest } = handlerOf(keyword).relocate?.(sortedKeyword, () => "") ?? sortedKeyword;
    content = {
      text: JSON.stringify(rest, (_key, value) =>
        value instanceof RegExp ? String(value) : value === Number.POSITIVE_INFINITY ? "any" : value,
      ),
      children: childrenOf(sortedKeyword),
      isUnordered: kind === "anyOf" || kind === "allOf" || kind === "oneOf",
    };
    contents.set(keyword, content);
  }
  return content;
}

/** Sorts the lists of a keyword if their order is irrelevant. */
function sortLists(keyword: Keyword): Keyword {
  const copy: Record<string, unknown> = { ...keyword };
  for (const name of ["names", "types", "values", "entries", "patterns"]) {
    const list = copy[name];
    if (Array.isArray(list)) copy[name] = [...list].sort((first, second) => compareTexts(keyOf(first), keyOf(second)));
  }
  return copy as Keyword;
}

function keyOf(item: unknown): string {
  // Only the name of an entry counts; the location of its schema differs from model to model.
  return JSON.stringify(Array.isArray(item) && typeof item[0] === "string" ? item[0] : item);
}

function compareTexts(first: string, second: string): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** Returns the schema at the end of a chain of bare references. */
export function followReference(model: Model, location: Location): Location {
  const visited = new Set<Location>();
  for (let at = location; !visited.has(at); ) {
    visited.add(at);
    const [firstKeyword, ...others] = model.nodes.get(at)?.keywords ?? [];
    if (firstKeyword?.kind !== "ref" || others.length > 0) return at;
    at = firstKeyword.node;
  }
  return location;
}

/** Numbers the schemas of several models by their content, including cyclic references. All schemas start as equal. They are split until equal numbers have equal keywords, which lead to schemas with equal numbers. */
export function findEqualNumbers(models: readonly Model[]): Numbers[] {
  const schemas = models.map((model) => [...model.nodes.values()].map((node) => schemaOf(model, node)));
  let numbers: Map<Location, number>[] = schemas.map(
    (modelSchemas) => new Map(modelSchemas.map(({ location }) => [location, 0])),
  );
  for (let count = 1; ; ) {
    const numbersByKey = new Map<string, number>();
    const nextSchemas = schemas.map((modelSchemas, index) => {
      const before = numbers[index] as Map<Location, number>;
      return new Map(
        modelSchemas.map((schema) => [schema.location, numberOf(keyIn(schema, before, count === 1), numbersByKey)]),
      );
    });
    numbers = nextSchemas;
    if (numbersByKey.size === count) return numbers;
    count = numbersByKey.size;
  }
}

interface ComparedSchema {
  location: Location;
  text: string;
  /** The schemas that each keyword leads to, with references followed. */
  children: { at: Location[]; isUnordered: boolean }[];
}

function schemaOf(model: Model, { location, always, keywords }: Node): ComparedSchema {
  const target = model.nodes.get(followReference(model, location));
  const ownKeywords = target === undefined || target.location === location ? keywords : target.keywords;
  const sorted = ownKeywords
    .map((keyword) => contentOf(keyword))
    .sort((first, second) => compareTexts(first.text, second.text));
  return {
    location,
    text: JSON.stringify([target?.always ?? always, sorted.map(({ text }) => text)]),
    children: sorted.map(({ children, isUnordered }) => ({
      at: children.map((child) => followReference(model, child)),
      isUnordered,
    })),
  };
}

/** Begins with the previous number, so schemas that were split before stay split. */
function keyIn(
  { location, text, children }: ComparedSchema,
  before: ReadonlyMap<Location, number>,
  isFirst: boolean,
): string {
  const numbers = children.map(({ at, isUnordered }) => {
    const childNumbers = at.map((child) => before.get(child) ?? -1);
    return (isUnordered ? childNumbers.sort((first, second) => first - second) : childNumbers).join();
  });
  return `${before.get(location)} ${isFirst ? text : ""} ${numbers.join(" ")}`;
}

function numberOf(key: string, numbersByKey: Map<string, number>): number {
  const number = numbersByKey.get(key) ?? numbersByKey.size;
  numbersByKey.set(key, number);
  return number;
}
