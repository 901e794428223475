import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const ref: KeywordHandler<"ref"> = {
  ...oneChild,
  inPlace: true,
  reads: { ref: (site, value) => [{ kind: "ref", site, node: plainLocation(value as string) }] },
  holds: ({ node }, value, visit) => visit.same(node, value),
  passages: ({ node }) => [{ node }],
  sites: () => [],
  assert({ node }, asserting) {
    asserting.taking.todo.push(asserting.inPlace(node));
    return true;
  },
  deny: ({ node }, denying) => denying.no(node),
};
