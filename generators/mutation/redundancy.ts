import { joinWithCopy } from "../evaluate/model-pair.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Location, Model } from "../model/model.ts";
import { solve } from "../solve/solve.ts";

/** Whether an assertion is proven to be redundant: the schema refuses no value only because of it. */
export function isRedundant(model: Model, site: Location): boolean {
  const relaxedSchema = withoutSite(model, site);
  return relaxedSchema !== undefined && isEquivalentModel(model, relaxedSchema.model, [relaxedSchema.changed]);
}

/** Whether a model is proven to be equivalent after a change of some schemas. */
export function isEquivalentModel(model: Model, changedModel: Model, changed: readonly Location[]): boolean {
  const { model: merged, twin } = joinWithCopy(model, changedModel, changed, "open:");
  const schemaFormula = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  return [true, false].every(
    (sign) =>
      "none" in solve(merged, [schemaFormula(model.root, sign), schemaFormula(twin, !sign)], { budget: 30_000 }),
  );
}
