import { expect, it } from "vitest";
import { TargetFailure, TouchstoneError } from "../../../schemas/index.ts";
import { createAccessGate } from "./access.ts";

const accessBy = (id: string) => ({ as: "a" as const, agent: "bot", body: { agent: { id } }, sender: "/agent/id" });

it("ends the run if a sender never had access, and only the scenario if it had access before", () => {
  const { pass } = createAccessGate();
  expect(() => pass({ status: 401, text: "" }, accessBy("bot"))).toThrow(TouchstoneError);
  expect(() => pass({ status: 403, text: "" }, accessBy("bot"))).toThrow(/credentials\.a\.agent/);
  pass({ status: 202, text: "" }, accessBy("bot"));
  expect(() => pass({ status: 401, text: "" }, accessBy("bot"))).toThrow(TargetFailure);
});

it("judges access separately for each sender", () => {
  const { pass } = createAccessGate();
  pass({ status: 403, text: "" }, accessBy("other"));
  pass({ status: 404, text: "" }, accessBy("bot"));
  expect(() => pass({ status: 401, text: "" }, accessBy("other"))).toThrow(TouchstoneError);
  pass({ status: 202, text: "" }, accessBy("bot"));
  pass({ status: 401, text: "" }, accessBy("other"));
});
