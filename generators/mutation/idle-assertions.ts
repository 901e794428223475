import { evaluateBeside } from "../evaluate/model-pair.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Location, Model } from "../model/model.ts";
import { solve } from "../solve/solve.ts";

/** Whether it is proven that the schema is equivalent without one assertion: nothing is refused only because of it. */
export function isRedundant(model: Model, site: Location): boolean {
  const relaxed = withoutSite(model, site);
  return relaxed !== undefined && isEquivalentModel(model, relaxed.model, [relaxed.changed]);
}

/** Whether it is proven that a model accepts and refuses the same after a change of some schemas. */
export function isEquivalentModel(model: Model, changedModel: Model, changed: readonly Location[]): boolean {
  const { model: both, twin } = evaluateBeside(model, changedModel, changed, "open:");
  const schema = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  return [true, false].every(
    (sign) => "none" in solve(both, [schema(model.root, sign), schema(twin, !sign)], { budget: 30_000 }),
  );
}
