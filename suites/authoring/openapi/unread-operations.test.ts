import { expect, it } from "vitest";
import { groupCalls } from "./unread-operations.ts";

it("the same note about the credentials of several operations is one sentence", () => {
  const of = (name: string, scheme: string): string =>
    `whether ${name} refuses requests without credentials is not tested: ${scheme} cannot be left out here`;
  expect(groupCalls([of("a", "tls"), "nothing is sent to d", of("b", "key"), of("c", "tls")])).toEqual([
    "nothing is sent to d",
    "whether a, c refuse requests without credentials is not tested: tls cannot be left out here",
    of("b", "key"),
  ]);
});
