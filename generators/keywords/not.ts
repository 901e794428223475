import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const notKeyword: KeywordHandler<"not"> = {
  ...oneChild,
  inPlace: true,
  reads: { not: (site, value) => [{ kind: "not", site, node: plainLocation(value as string) }] },
  holds: ({ node }, value, visit) => !visit.apart(node, value),
  assert({ node }, asserting) {
    asserting.taking.todo.push(asserting.not(node));
    return true;
  },
  deny: ({ node }, denying) => denying.yes(node),
};
