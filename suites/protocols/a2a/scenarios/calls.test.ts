import { expect, it } from "vitest";
import { isInvalid, readAnswer } from "./calls.ts";

const answer = (status: number, json: { error: { code: number; message: string } | string }) =>
  readAnswer("JSONRPC", { status, headers: {}, text: JSON.stringify(json), json });

it("counts a bare 400 over JSON-RPC as invalid parameters, but not an internal error or a 500", () => {
  expect(isInvalid(answer(400, { error: "parts are missing" }))).toBe(true);
  expect(isInvalid(answer(200, { error: { code: -32602, message: "parts are missing" } }))).toBe(true);
  expect(isInvalid(answer(400, { error: { code: -32603, message: "it failed" } }))).toBe(false);
  expect(isInvalid(answer(500, { error: "it failed" }))).toBe(false);
});
