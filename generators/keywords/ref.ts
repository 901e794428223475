import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const ref: KeywordHandler<"ref"> = {
  ...oneChild,
  inPlace: true,
  readers: { ref: (site, value) => [{ kind: "ref", site, node: plainLocation(value as string) }] },
  holds: ({ node }, value, visit) => visit.valueHolds(node, value),
  passages: ({ node }) => [{ node }],
  sites: () => [],
  assert({ node }, context) {
    context.construction.todo.push(context.inPlace(node));
    return true;
  },
  deny: ({ node }, context) => context.mustFail(node),
};
