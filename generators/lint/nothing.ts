import { siteAt } from "../evaluate/sites.ts";
import { type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { solve } from "../solve/solve.ts";

/** Whether it is proven that an assertion refuses no value at all, whatever else there is. */
export function refusesNothing(model: Model, home: Location, site: Location): boolean {
  const { keywords, ...node } = nodeAt(model, home);
  const alone: Node = { ...node, keywords: keywords.filter((each) => siteAt(each, model, site) !== undefined) };
  const nodes = new Map(model.nodes).set(home, alone);
  return (
    "none" in solve({ ...model, nodes }, [{ op: "schema", node: home, sign: false, scope: {} }], { budget: 5_000 })
  );
}
