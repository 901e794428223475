import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const notKeyword: KeywordHandler<"not"> = {
  ...oneChild,
  inPlace: true,
  readers: { not: (site, value) => [{ kind: "not", site, node: plainLocation(value as string) }] },
  holds: ({ node }, value, visit) => !visit.valueHoldsUnmarked(node, value),
  assert({ node }, context) {
    context.construction.todo.push(context.mustFail(node));
    return true;
  },
  deny: ({ node }, context) => context.mustHold(node),
};
