import { expect, it } from "vitest";
import type { HttpReply, JsonObject, ScenarioContext } from "../../../../schemas/index.ts";
import { checkLateCancel } from "./too-late.ts";

/** The levels of the findings about this answer to a late cancellation of `msg_1`. */
function failedLevels(status: number, json: JsonObject, ended = "expired"): unknown[] {
  const levels: unknown[] = [];
  const context = {
    expect: (_: string, holds: boolean, __: string, level = "MUST") => holds || levels.push(level),
  } as unknown as ScenarioContext;
  const reply = { status, headers: {}, json, text: JSON.stringify(json) } as unknown as HttpReply;
  checkLateCancel(context, reply, "msg_1", ended);
  return levels;
}

const namedMembers = { id: "msg_1", status: "expired", resolution: "expired" };

it.each([
  ["a conflict with the outcome", 409, namedMembers, []],
  ["a conflict with the outcome and an error", 409, { ...namedMembers, error: { code: "already_terminal" } }, []],
  ["a conflict with the outcome inside the error", 409, { error: { details: namedMembers } }, ["SHOULD"]],
  ["a success that reports the expiry", 200, { resolution: "expired" }, ["SHOULD"]],
  ["a success that reports a cancellation", 200, { ...namedMembers, status: "cancelled" }, ["MUST"]],
  ["a conflict without an outcome", 409, { error: { code: "already_terminal" } }, ["MUST"]],
  ["a conflict with a wrong status", 409, { ...namedMembers, status: "cancelled" }, ["MUST"]],
  ["an unknown message", 404, { error: { code: "not_found" } }, ["MUST"]],
  ["a crash", 500, {}, ["MUST"]],
])("judges %s", (_, status, json, levels) => {
  expect(failedLevels(status, json)).toEqual(levels);
});

it("reports a hub that answers with an expiry for an answered message", () => {
  expect(failedLevels(200, { id: "msg_1", status: "answered", resolution: "expired" }, "answered")).toEqual(["MUST"]);
});
