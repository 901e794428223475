import { resolveDynamic } from "../model/model.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const dynamicRef: KeywordHandler<"dynamicRef"> = {
  ...oneChild,
  inPlace: true,
  reads: {
    dynamicRef: (site, value) => {
      const [resource, anchor, node] = value as [string, string, string];
      return [{ kind: "dynamicRef", site, resource, anchor, node: plainLocation(node) }];
    },
  },
  holds: (keyword, value, visit) => visit.same(visit.resolve(keyword), value),
  passages: (keyword, resolve) => [{ node: resolve(keyword) }],
  sites: () => [],
  assert(keyword, asserting) {
    const { search, scope, todo } = asserting.taking;
    todo.push(asserting.inPlace(resolveDynamic(search.model, keyword, scope)));
    return true;
  },
  deny: (keyword, denying) => denying.no(denying.resolve(keyword)),
};
