import { isObject } from "../../schemas/index.ts";
import { ofObjects } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const propertyNames: KeywordHandler<"propertyNames"> = {
  ...oneChild,
  readers: { propertyNames: (site, value) => [{ kind: "propertyNames", site, node: plainLocation(value as string) }] },
  holds({ node }, value, visit) {
    if (!isObject(value)) return true;
    let valid = true;
    for (const name of Object.keys(value)) if (!visit.nameHolds(node, name)) valid = false;
    return valid;
  },
  passages: ({ node }) => [{ node, segment: "*" }],
  sites: () => [],
  assert({ node }, context) {
    const { shape, path } = context;
    shape.object.names.push(context.childOnAnyPath(node));
    if (path !== undefined) {
      shape.kinds &= kinds.object;
      shape.object.someName.push(context.child(node));
    }
    return true;
  },
  deny: ({ node }, context) => ofObjects(({ someName }) => someName.push(context.mustFail(node))),
  exercise: () => ({ op: "kinds", kinds: kinds.object }),
};
