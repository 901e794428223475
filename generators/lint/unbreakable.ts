import { keywordAt, siteAt } from "../evaluate/sites.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { solve } from "../solve/solve.ts";

const loneLocation: Location = "alone:";

/** Whether it is proven that no value breaks an assertion, in any context. */
export function refusesNothing(model: Model, at: Location): boolean {
  const step = keywordAt(model, at);
  if (step === undefined) return false;
  const node = nodeAt(model, step.node);
  const keywords = node.keywords.filter((keyword) => siteAt(keyword, model, at) !== undefined);
  // An entry of `required` refuses the objects without it.
  if (keywords.length === 0 || keywords.some(({ kind }) => kind === "required")) return false;
  const probe = {
    ...model,
    nodes: new Map(model.nodes).set(loneLocation, { ...node, location: loneLocation, keywords }),
  };
  return "none" in solve(probe, [{ op: "schema", node: loneLocation, sign: false, scope: {} }], { budget: 20_000 });
}
