import { expect, it } from "vitest";
import { coreCapabilities as listedCapabilities } from "../rules/extension.ts";
import { readableFields } from "../rules/readable.ts";
import { readableMembers } from "./members.ts";
import { coreCapabilities, messageNames } from "./messages.ts";
import { coreTypes } from "./types.ts";

it("the twin finds the same readable members in the schemas as the checkers", () => {
  expect([...readableMembers].sort()).toEqual([...readableFields].sort());
});

it("the readable members exclude the user's own words, and names", () => {
  for (const name of ["request_text", "default_response", "requested_by", "to_state", "reply_token"])
    expect(readableMembers).not.toContain(name);
});

it("the twin reads types, messages and capabilities from the schemas", () => {
  expect([coreTypes.size, messageNames.length]).toEqual([12, 5]);
  expect([...coreTypes]).toContain("agent.awaiting.confirmation");
  expect(messageNames).toContain("confirmation.reply");
  expect([...coreCapabilities].sort()).toEqual([...listedCapabilities].sort());
});
