import { expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { brokenRules } from "./found.fixture.ts";
import { numberEvents, sessionUnder } from "./session.ts";

const whole = sessionUnder({}, {}, "start think complete");
const unstarted = ({ message }: JsonObject): boolean => (message as JsonObject).type !== "aaep:agent.session.started";

it("reads the beginning of a session that is first seen after a handshake from the number 0 alone", () => {
  expect(brokenRules(whole.filter(unstarted))).toEqual([]);
  expect(brokenRules(numberEvents(whole).filter(unstarted))).toEqual([]);
  expect(brokenRules(numberEvents(whole.filter(unstarted)))).toEqual(["LIFE-001 /2/message/type"]);
});
