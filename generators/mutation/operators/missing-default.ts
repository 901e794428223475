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

/** Mutants of `required`: a missing member counts as one of its values. They are made only if another keyword, such as a condition on the member, refuses instances without it. */
export const missingDefaultOperator: Operator = {
  name: "missing-default",
  *mutate(node, model, raw) {
    const keyword = node.keywords.find((candidate) => candidate.kind === "required");
    const properties = node.keywords.find((candidate) => candidate.kind === "properties");
    if (keyword?.kind !== "required" || properties?.kind !== "properties") return;
    for (const [name, at] of properties.entries) {
      const valueList = model.nodes.get(at)?.keywords.find((candidate) => candidate.kind === "enum");
      const index = keyword.names.indexOf(name);
      if (index < 0 || valueList?.kind !== "enum") continue;
      const site = `${keyword.site}/${index}`;
      const instances = valuesOf(valueList)
        .slice(0, maxima.values)
        .flatMap((value) => valuesWithout(name, value, node, model));
      const distinctInstances = [
        ...new Map(instances.map((instance) => [JSON.stringify(instance), instance])).values(),
      ];
      const wronglyAccepted = distinctInstances.filter(
        (instance) => !holdsAt(model, node.location, instance, { without: site }),
      );
      const changed =
        wronglyAccepted.length === 0 ? undefined : addAlternative(node, raw, { enum: wronglyAccepted }, model);
      const says = `${name} has a default when it is missing`;
      if (changed !== undefined)
        yield {
          effect: "weaker",
          isFineGrained: true,
          isTriedEarly: true,
          needsOneKill: true,
          site,
          entryOf: keyword.site,
          keyword: "required",
          says,
          ...changed,
        };
    }
  },
};

/** Finds a valid instance in which the member has this value, and removes the member from it. */
function valuesWithout(name: string, value: Json, { location }: Node, { nodes, ...model }: Model): Json[] {
  // Cached results of other searches would influence the answer, so the model is copied. Mutants are made again to count kills, and must be the same.
  const freshModel: Model = { root: model.root, anchors: model.anchors, nodes: new Map(nodes) };
  const isValidHere: Formula = { op: "schema", node: location, sign: true, scope: {} };
  const hasValue = someMember({ of: "name", name }, { op: "in", values: [value] });
  for (const solution of solutions(freshModel, [isValidHere, hasValue], { limit: 1, budget: maxima.budget }))
    if ("found" in solution && isObject(solution.found)) {
      const { [name]: _removed, ...rest } = solution.found;
      return [rest];
    }
  return [];
}
