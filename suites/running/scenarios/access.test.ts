import { expect, it } from "vitest";
import { TargetFailure, TouchstoneError } from "../../../schemas/index.ts";
import { createAccessGate } from "./access.ts";

const passing = (id: string) => ({ as: "a" as const, agent: "bot", body: { agent: { id } }, sender: "/agent/id" });

it("ends the run if a sender never had access, and only the scenario if it had", () => {
  const { pass } = createAccessGate();
  expect(() => pass({ status: 401, text: "" }, passing("bot"))).toThrow(TouchstoneError);
  expect(() => pass({ status: 403, text: "" }, passing("bot"))).toThrow(/credentials\.a\.agent/);
  pass({ status: 202, text: "" }, passing("bot"));
  expect(() => pass({ status: 401, text: "" }, passing("bot"))).toThrow(TargetFailure);
});

it("judges access separately for each sender", () => {
  const { pass } = createAccessGate();
  pass({ status: 403, text: "" }, passing("other"));
  pass({ status: 404, text: "" }, passing("bot"));
  expect(() => pass({ status: 401, text: "" }, passing("other"))).toThrow(TouchstoneError);
  pass({ status: 202, text: "" }, passing("bot"));
  pass({ status: 401, text: "" }, passing("other"));
});
