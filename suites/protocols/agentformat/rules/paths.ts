import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { calledBy, policyOf } from "./calls.ts";
import { type Path, type PathPlace, pathOf, pathsOf, unsafeProperty } from "./path.ts";

const grammarChecker: Checker = {
  rule: "AGF-PATH-001",
  documents: ["agent"],
  *check(agent) {
    for (const { at, text, use } of pathsOf(agent))
      if (use === "mapping" && pathOf(text) === undefined && unsafeProperty(agent, text) === undefined)
        yield { at, why: `is ${JSON.stringify(text)}, which is not a path expression` };
  },
};

const nameChecker: Checker = {
  rule: "AGF-IFACE-005",
  documents: ["agent"],
  *check(agent) {
    for (const { at, text } of pathsOf(agent)) {
      const name = unsafeProperty(agent, text);
      if (name !== undefined) yield { at, why: `refers to the property ${JSON.stringify(name)}, no name for a path` };
    }
  },
};

const sourceChecker: Checker = {
  rule: "AGF-PATH-002",
  documents: ["agent"],
  *check(agent) {
    const turns = turnsOf(agent);
    for (const [place, { source }] of parsedPaths(agent)) {
      // Another rule requires that the keys of routes refer only to the input.
      if (source === "parent" || place.use === "route") continue;
      yield* findUnorderedSteps(policyOf(agent), turns.get(source) ?? [], place, source);
    }
  },
};

/** The indices of each agent's calls. */
function turnsOf(agent: Json): Map<string | undefined, number[]> {
  const turns = new Map<string | undefined, number[]>();
  for (const [index, alias] of calledBy(agent).entries()) {
    const knownTurns = turns.get(alias);
    if (knownTurns === undefined) turns.set(alias, [index]);
    else knownTurns.push(index);
  }
  return turns;
}

function* findUnorderedSteps(
  id: string | undefined,
  turns: readonly number[],
  { at, call }: PathPlace,
  source: string,
): Iterable<Breach> {
  const earlier = turns.filter((index) => index < call);
  if (id !== "agf.sequential" && id !== "agf.loop")
    yield { at, why: `starts from "${source}", and nothing has run before` };
  else if (turns.length === 0) yield { at, why: `starts from "${source}", which is not a step` };
  else if (earlier.length === 0) {
    const why = `starts from "${source}", which does not run before`;
    yield id === "agf.loop" ? { at, why: `${why} in the first round`, level: "SHOULD" } : { at, why };
  } else if (earlier.length > 1)
    yield { at, why: `starts from "${source}", which is a step more than once`, level: "SHOULD" };
}

const directionChecker: Checker = {
  rule: "AGF-PATH-003",
  documents: ["agent"],
  *check(agent) {
    for (const [{ at, text, use }, path] of parsedPaths(agent))
      if (use !== "route" && path.source === "parent" && path.direction !== "input")
        yield { at, why: `is "${text}": the agent's own output does not exist yet` };
  },
};

const itemChecker: Checker = {
  rule: "AGF-PATH-004",
  documents: ["agent"],
  *check(agent) {
    if (policyOf(agent) === "agf.batch") return;
    for (const [{ at, text }, { fields }] of parsedPaths(agent))
      if (fields.includes("[]")) yield { at, why: `is "${text}", and only a batch goes through lists` };
  },
};

const declaredPathChecker: Checker = {
  rule: "AGF-PATH-006",
  documents: ["agent"],
  *check(agent) {
    const properties = pointer.at("/interface/input/properties", agent);
    if (!isObject(properties)) return;
    for (const [{ at, text }, { source, direction, fields }] of parsedPaths(agent)) {
      const [field = ""] = fields;
      if (source === "parent" && direction === "input" && !Object.hasOwn(properties, field))
        yield { at, why: `is "${text}", and the input has no property "${field}"` };
    }
  },
};

function parsedPaths(agent: Json): [PathPlace, Path][] {
  return pathsOf(agent).flatMap((place) => {
    const path = pathOf(place.text);
    return path === undefined ? [] : [[place, path] as [PathPlace, Path]];
  });
}

/** Path expressions: their form, their start, and their target. */
export const pathCheckers: readonly Checker[] = [
  grammarChecker,
  nameChecker,
  sourceChecker,
  directionChecker,
  itemChecker,
  declaredPathChecker,
];
