import { expect, it } from "vitest";
import { groupCalls } from "./unread-operations.ts";

it("notes about the same credentials of several operations are joined into one sentence", () => {
  const noteOn = (name: string, scheme: string): string =>
    `whether ${name} refuses requests without credentials is not tested: ${scheme} cannot be left out here`;
  expect(groupCalls([noteOn("a", "tls"), "nothing is sent to d", noteOn("b", "key"), noteOn("c", "tls")])).toEqual([
    "nothing is sent to d",
    "whether a, c refuse requests without credentials is not tested: tls cannot be left out here",
    noteOn("b", "key"),
  ]);
});
