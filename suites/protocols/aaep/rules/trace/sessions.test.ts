import { expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { brokenRules } from "./found.fixture.ts";
import { numberEvents, sessionUnder } from "./session.ts";

const whole = sessionUnder({}, {}, "start think complete");
const unstarted = ({ message }: JsonObject): boolean => (message as JsonObject).type !== "aaep:agent.session.started";

it("knows that a session which is first seen after a handshake was begun there by its number 0 alone", () => {
  expect(brokenRules(whole.filter(unstarted))).toEqual([]);
  expect(brokenRules(numberEvents(whole).filter(unstarted))).toEqual([]);
  expect(brokenRules(numberEvents(whole.filter(unstarted)))).toEqual(["LIFE-001 /2/message/type"]);
});
