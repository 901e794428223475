import { isObject, type Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { someMember } from "../../formulas/facets.ts";
import type { Formula } from "../../formulas/formula.ts";
import type { Model, Node } from "../../model/model.ts";
import { solutions } from "../../solve/solve.ts";
import type { Operator } from "../mutant.ts";
import { addAlternative } from "../schema-edits.ts";
import { valuesOf } from "./enum.ts";

/** The maximum number of values of one member that are tried, and the search budget for an instance with each. */
const maxima = { values: 4, budget: 2000 };

/** A missing required member counts as one of its values. Only if this breaks more than `required`, such as a condition on the member. */
export const defaulted: Operator = {
  name: "missing-default",
  *mutate(node, model, raw) {
    const keyword = node.keywords.find((each) => each.kind === "required");
    const properties = node.keywords.find((each) => each.kind === "properties");
    if (keyword?.kind !== "required" || properties?.kind !== "properties") return;
    for (const [name, at] of properties.entries) {
      const list = model.nodes.get(at)?.keywords.find((each) => each.kind === "enum");
      const index = keyword.names.indexOf(name);
      if (index < 0 || list?.kind !== "enum") continue;
      const site = `${keyword.site}/${index}`;
      const found = valuesOf(list)
        .slice(0, maxima.values)
        .flatMap((value) => valuesWithout(name, value, node, model));
      const distinct = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
      const wrong = distinct.filter((each) => !holdsAt(model, node.location, each, { without: site }));
      const changed = wrong.length === 0 ? undefined : addAlternative(node, raw, { enum: wrong }, model);
      const says = `${name} has a default when it is missing`;
      if (changed !== undefined)
        yield {
          effect: "weaker",
          fine: true,
          soon: true,
          single: true,
          site,
          entryOf: keyword.site,
          keyword: "required",
          says,
          ...changed,
        };
    }
  },
};

/** An instance with this value of the member, from which the member is then removed. */
function valuesWithout(name: string, value: Json, { location }: Node, { nodes, ...model }: Model): Json[] {
  // A fresh model: results of other searches would influence the answer, and mutants are made again to count kills.
  const fresh: Model = { root: model.root, anchors: model.anchors, nodes: new Map(nodes) };
  const here: Formula = { op: "schema", node: location, sign: true, scope: {} };
  const hasValue = someMember({ of: "name", name }, { op: "in", values: [value] });
  for (const solution of solutions(fresh, [here, hasValue], { limit: 1, budget: maxima.budget }))
    if ("found" in solution && isObject(solution.found)) {
      const { [name]: _left, ...rest } = solution.found;
      return [rest];
    }
  return [];
}
