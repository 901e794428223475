import { expect, it } from "vitest";
import type { HttpReply, JsonObject, ScenarioContext } from "../../../../schemas/index.ts";
import { checkLateCancel } from "./too-late.ts";

/** The levels at which the answer to a late cancellation of `msg_1` is accused. */
function accusedOf(status: number, json: JsonObject, ended = "expired"): unknown[] {
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
  ["a conflict that names the end", 409, namedMembers, []],
  ["a conflict that names the end beside an error", 409, { ...namedMembers, error: { code: "already_terminal" } }, []],
  ["a conflict that names the end within the error", 409, { error: { details: namedMembers } }, ["SHOULD"]],
  ["a success that names the expiry", 200, { resolution: "expired" }, ["SHOULD"]],
  ["a success that says cancelled", 200, { ...namedMembers, status: "cancelled" }, ["MUST"]],
  ["a conflict that names nothing", 409, { error: { code: "already_terminal" } }, ["MUST"]],
  ["a conflict with another status", 409, { ...namedMembers, status: "cancelled" }, ["MUST"]],
  ["an unknown message", 404, { error: { code: "not_found" } }, ["MUST"]],
  ["a crash", 500, {}, ["MUST"]],
])("judges %s", (_, status, json, levels) => {
  expect(accusedOf(status, json)).toEqual(levels);
});

it("accuses a hub that reports an expiry for an answered message", () => {
  expect(accusedOf(200, { id: "msg_1", status: "answered", resolution: "expired" }, "answered")).toEqual(["MUST"]);
});
