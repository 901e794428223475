import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { calledAliases, policyOf } from "./calls.ts";
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
      if (name !== undefined)
        yield { at, why: `refers to the property ${JSON.stringify(name)}, which a path cannot name` };
    }
  },
};

const sourceChecker: Checker = {
  rule: "AGF-PATH-002",
  documents: ["agent"],
  *check(agent) {
    const callIndices = callIndicesOf(agent);
    for (const [place, { source }] of parsedPaths(agent)) {
      // Another rule checks that the keys of routes refer only to the input.
      if (source === "parent" || place.use === "route") continue;
      yield* checkOrder(policyOf(agent), callIndices.get(source) ?? [], place, source);
    }
  },
};

/** The indices of each agent's calls. */
function callIndicesOf(agent: Json): Map<string | undefined, number[]> {
  const callIndices = new Map<string | undefined, number[]>();
  for (const [index, alias] of calledAliases(agent).entries()) {
    const knownIndices = callIndices.get(alias);
    if (knownIndices === undefined) callIndices.set(alias, [index]);
    else knownIndices.push(index);
  }
  return callIndices;
}

function* checkOrder(
  id: string | undefined,
  callIndices: readonly number[],
  { at, call }: PathPlace,
  source: string,
): Iterable<Breach> {
  const earlierCalls = callIndices.filter((index) => index < call);
  if (id !== "agf.sequential" && id !== "agf.loop")
    yield { at, why: `reads from "${source}", but nothing has run before` };
  else if (callIndices.length === 0) yield { at, why: `reads from "${source}", which is not a step` };
  else if (earlierCalls.length === 0) {
    const why = `reads from "${source}", which does not run before`;
    yield id === "agf.loop" ? { at, why: `${why} in the first round`, level: "SHOULD" } : { at, why };
  } else if (earlierCalls.length > 1)
    yield { at, why: `reads from "${source}", which has more than one step`, level: "SHOULD" };
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
      if (fields.includes("[]")) yield { at, why: `is "${text}", but only a batch iterates over lists` };
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
        yield { at, why: `is "${text}", but the input has no property "${field}"` };
    }
  },
};

function parsedPaths(agent: Json): [PathPlace, Path][] {
  return pathsOf(agent).flatMap((place) => {
    const path = pathOf(place.text);
    return path === undefined ? [] : [[place, path] as [PathPlace, Path]];
  });
}

/** Checks the syntax, source and target of path expressions. */
export const pathCheckers: readonly Checker[] = [
  grammarChecker,
  nameChecker,
  sourceChecker,
  directionChecker,
  itemChecker,
  declaredPathChecker,
];
