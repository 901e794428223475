import { resolveDynamic } from "../model/model.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const dynamicRef: KeywordHandler<"dynamicRef"> = {
  ...oneChild,
  inPlace: true,
  readers: {
    dynamicRef: (site, value) => {
      const [resource, anchor, node] = value as [string, string, string];
      return [{ kind: "dynamicRef", site, resource, anchor, node: plainLocation(node) }];
    },
  },
  holds: (keyword, value, visit) => visit.valueHolds(visit.resolve(keyword), value),
  passages: (keyword, resolve) => [{ node: resolve(keyword) }],
  sites: () => [],
  assert(keyword, context) {
    const { search, scope, todo } = context.construction;
    todo.push(context.inPlace(resolveDynamic(search.model, keyword, scope)));
    return true;
  },
  deny: (keyword, context) => context.mustFail(context.resolve(keyword)),
};
