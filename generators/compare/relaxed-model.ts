import { isObject, type Json, typeOf } from "../../schemas/index.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import { handlerOf } from "../keywords/table.ts";
import type { Keyword, Location, Model, Node } from "../model/model.ts";
import type { AssertionCause } from "./cause.ts";

/** Finds the counterpart of an assertion in the other model. */
export type FindCounterpart = (cause: AssertionCause) => Keyword | undefined;

const liftedPrefix = "lifted:";

/** Whether a location is that of an old schema that was added to the new model. */
export function isLifted(location: Location): boolean {
  return location.startsWith(liftedPrefix);
}

/** Adds the schemas of the old model to the new one, so that a choice can get a branch from them. Unchanged if no old schema is a choice, or if their meaning depends on the path. */
export function addOldSchemas(newer: Model, old: Model): Model {
  const oldKeywords = [...old.nodes.values()].flatMap(({ keywords }) => keywords);
  if (
    !oldKeywords.some(({ kind }) => kind === "anyOf" || kind === "oneOf") ||
    oldKeywords.some(({ kind }) => kind === "dynamicRef")
  )
    return newer;
  const nodes = new Map(newer.nodes);
  const placeOf = (location: Location): Location => liftedPrefix + location;
  for (const node of old.nodes.values()) {
    const keywords = node.keywords.map((keyword) => handlerOf(keyword).relocate?.(keyword, placeOf) ?? keyword);
    nodes.set(placeOf(node.location), { ...node, location: placeOf(node.location), keywords });
  }
  return { ...newer, nodes };
}

/** Lifts each assertion of a model just enough to accept the refused part: a list gets the value, a closed object the member, a choice the accepting branch of the old model. An assertion that cannot be lifted in part is removed. */
export function relaxModel(
  model: Model,
  causes: readonly AssertionCause[],
  old: Model,
  counterpartOf: FindCounterpart,
): Model {
  const nodes = new Map(model.nodes);
  for (const cause of causes) {
    const node = nodes.get(cause.node);
    if (node === undefined) continue;
    if (cause.keyword === undefined) nodes.set(cause.node, { ...node, always: true });
    else {
      const keywords = node.keywords.flatMap((keyword) => {
        if (keyword.site !== cause.keyword?.site) return [keyword];
        const branches = branchesFor(keyword, cause, old, counterpartOf).filter((to) => nodes.has(to));
        const liftedKeyword =
          branches.length > 0
            ? addChoice(nodes, node, keyword, branches)
            : liftAssertion(keyword, cause, counterpartOf);
        return liftedKeyword === undefined ? [] : [liftedKeyword];
      });
      nodes.set(cause.node, { ...node, keywords });
    }
  }
  return { ...model, nodes };
}

/** Lists branches of the old choice that accept the value. */
function branchesFor(keyword: Keyword, cause: AssertionCause, old: Model, counterpartOf: FindCounterpart): Location[] {
  if (keyword.kind !== "anyOf" && keyword.kind !== "oneOf") return [];
  const counterpart = counterpartOf(cause);
  if (counterpart?.kind !== "anyOf" && counterpart?.kind !== "oneOf") return [];
  return counterpart.nodes.filter((node) => holdsAt(old, node, cause.value)).map((node) => liftedPrefix + node);
}

/** Makes a choice between the given keyword and these branches. */
function addChoice(
  nodes: Map<Location, Node>,
  { resource, location }: Node,
  keyword: Keyword,
  branches: Location[],
): Keyword {
  let keptLocation = `${location}/kept`;
  while (nodes.has(keptLocation)) keptLocation += "+";
  nodes.set(keptLocation, { location: keptLocation, resource, keywords: [keyword], marks: false });
  return { kind: "anyOf", site: keyword.site, nodes: [keptLocation, ...branches] };
}

function liftAssertion(keyword: Keyword, cause: AssertionCause, counterpartOf: FindCounterpart): Keyword | undefined {
  const { name, value } = cause;
  const acceptsListedValue = ["type", "enum", "const"].includes(counterpartOf(cause)?.kind ?? "");
  switch (keyword.kind) {
    case "required":
      return { ...keyword, names: keyword.names.filter((requiredName) => requiredName !== name) };
    case "enum":
      return acceptsListedValue ? { ...keyword, values: [...keyword.values, value] } : undefined;
    case "const":
      return acceptsListedValue ? { kind: "enum", site: keyword.site, values: [keyword.value, value] } : undefined;
    case "type":
      return acceptsListedValue ? { ...keyword, types: [...keyword.types, typeOf(value)] } : undefined;
    case "additionalProperties": {
      const names = additionalIn(keyword, value);
      return names.length === 0 ? undefined : { ...keyword, names: [...keyword.names, ...names] };
    }
    default:
      return undefined;
  }
}

/** Lists the members of a value to which `additionalProperties` applies. */
export function additionalIn(keyword: Keyword, value: Json): string[] {
  if (keyword.kind !== "additionalProperties" || !isObject(value)) return [];
  const { names, patterns } = keyword;
  return Object.keys(value).filter(
    (name) => !names.includes(name) && !patterns.some(([, regexp]) => regexp.test(name)),
  );
}
