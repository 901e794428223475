import { siteAt, sites } from "../evaluate/sites.ts";
import { withoutSite } from "../evaluate/without.ts";
import { type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { solve } from "../solve/solve.ts";

/** So many assertions are asked of, with little work for each. */
const mostAsked = 60;
const budget = 5_000;

/** Of a schema that no value fulfils, the assertions without which some would: those that exclude each other. None where there are several reasons. */
export function excludingIn(model: Model, schema: Location, isLate: () => boolean): Location[] {
  const all = sites(model).map(({ location }) => location);
  const within = all.filter((each) => each.startsWith(`${schema}/`) || each.startsWith(`${schema}#`));
  const asked = [...within, ...all.filter((each) => !within.includes(each))].slice(0, mostAsked);
  const found = asked.filter((each) => {
    const open = isLate() ? undefined : withoutSite(model, each);
    return open !== undefined && isFulfilled(open.model, schema);
  });
  // Without a type there are always values of others: that says little.
  const telling = found.filter((each) => !each.endsWith("/type"));
  return telling.length > 1 ? telling : found;
}

function isFulfilled(model: Model, schema: Location): boolean {
  return "found" in solve(model, [{ op: "schema", node: schema, sign: true, scope: {} }], { budget });
}

/** Whether it is proven that an assertion refuses no value at all, whatever else there is. */
export function refusesNothing(model: Model, home: Location, site: Location): boolean {
  const { keywords, ...node } = nodeAt(model, home);
  const alone: Node = { ...node, keywords: keywords.filter((each) => siteAt(each, model, site) !== undefined) };
  const nodes = new Map(model.nodes).set(home, alone);
  return "none" in solve({ ...model, nodes }, [{ op: "schema", node: home, sign: false, scope: {} }], { budget });
}
