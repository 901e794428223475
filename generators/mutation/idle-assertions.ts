import { evaluateBeside } from "../evaluate/model-pair.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Location, Model } from "../model/model.ts";
import { solve } from "../solve/solve.ts";

/** Whether it is proven that the schema is equivalent without one assertion: nothing is refused only because of it. */
export function isIdle(model: Model, site: Location): boolean {
  const open = withoutSite(model, site);
  return open !== undefined && saysTheSame(model, open.model, [open.changed]);
}

/** Whether it is proven that a model with some changed schemas refuses and accepts the same. */
export function saysTheSame(model: Model, open: Model, changed: readonly Location[]): boolean {
  const { model: both, twin } = evaluateBeside(model, open, changed, "open:");
  const schema = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  return [true, false].every(
    (sign) => "none" in solve(both, [schema(model.root, sign), schema(twin, !sign)], { budget: 30_000 }),
  );
}
