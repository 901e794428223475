import { isObject, type JsonObject, pointer } from "../../schemas/index.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { passagesOf } from "../keywords/table.ts";
import { type EvaluationStep, type Location, type Model, nodeAt } from "../model/model.ts";
import { type Mutant, rawAt } from "./mutant.ts";

/** Where a schema leads back to itself. */
export interface Recursion {
  to: Location;
  /** Places of that schema, when it is entered again: once, and once more. */
  again: readonly EvaluationPlace[];
  /** All places below it, when it is entered again for the first time: of schemas that are wanted. */
  below(isWanted: (node: Location) => boolean): Iterable<EvaluationPlace>;
}

/** Every step that leads back to a schema on its way, once, of all places outermost first. */
export function* recursionsIn(model: Model, all: readonly EvaluationPlace[]): Generator<Recursion> {
  const taken = new Set<string>();
  for (const place of all) {
    const path = [...place.steps.map(({ node }) => node), place.node];
    for (const keyword of nodeAt(model, place.node).keywords) {
      if (keyword.kind === "dynamicRef") continue;
      const { site, kind } = keyword;
      for (const { node: to, key, segment } of passagesOf(keyword, ({ node }) => node)) {
        const index = path.indexOf(to);
        const edge = `${site} ${key} ${to}`;
        if (index === -1 || taken.has(edge)) continue;
        taken.add(edge);
        const above = place.steps.slice(0, index);
        const isBelow = ({ steps }: EvaluationPlace) => above.every((step, at) => step === steps[at]);
        const first = all.find((each) => each.steps.length === index && isBelow(each));
        if (first === undefined) continue;
        const step: EvaluationStep = { node: place.node, site, kind, ...(key === undefined ? {} : { key }) };
        const at = segment === undefined ? place.at : [...place.at, segment];
        const once = { ...place, node: to, steps: [...place.steps, step], at };
        const within = (each: EvaluationPlace): EvaluationPlace => ({
          ...each,
          steps: [...once.steps, ...each.steps.slice(index)],
          at: [...once.at, ...each.at.slice(first.at.length)],
        });
        yield {
          ...{ to, again: [once, within(once)] },
          *below(isWanted) {
            for (const each of all) if (isWanted(each.node) && isBelow(each)) yield within(each);
          },
        };
      }
    }
  }
}

/** What stays of a schema that is looked at in passing, beside its names and definitions. */
const shape: ReadonlySet<string> = new Set(["type", "required"]);

/** The mistake to look only at what a value is and has, and into nothing. Undefined where there is no more to look at. */
export function onlyShape(
  model: Model,
  schemas: readonly JsonObject[],
  to: Location,
  kept: ReadonlySet<string>,
): Mutant | undefined {
  const [node, raw] = [nodeAt(model, to), rawAt(schemas, to)];
  if (!isObject(raw)) return undefined;
  const keywords = node.keywords.filter(({ kind }) => shape.has(kind));
  const left = Object.keys(raw).filter((name) => !shape.has(name) && !kept.has(name));
  if (keywords.length === node.keywords.length) return undefined;
  return {
    operator: "one-copy",
    effect: "weaker",
    site: to,
    keyword: "$ref",
    says: "nothing but type and required is checked",
    edits: left.map((name) => ({ at: pointer.append(to, name) })),
    nodes: [{ ...node, keywords }],
  };
}
