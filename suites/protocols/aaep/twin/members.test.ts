import { expect, it } from "vitest";
import { coreCapabilities as listedCapabilities } from "../rules/extension.ts";
import { readableFields } from "../rules/readable.ts";
import { readable } from "./members.ts";
import { coreCapabilities, messageNames } from "./messages.ts";
import { coreTypes } from "./types.ts";

it("finds the same texts for people in the schemas as the checker", () => {
  expect([...readable].sort()).toEqual([...readableFields].sort());
});

it("excludes the user's own words, and names", () => {
  for (const name of ["request_text", "default_response", "requested_by", "to_state", "reply_token"])
    expect(readable).not.toContain(name);
});

it("reads types, messages and capabilities from the schemas", () => {
  expect([coreTypes.size, messageNames.length]).toEqual([12, 5]);
  expect([...coreTypes]).toContain("agent.awaiting.confirmation");
  expect(messageNames).toContain("confirmation.reply");
  expect([...coreCapabilities].sort()).toEqual([...listedCapabilities].sort());
});
