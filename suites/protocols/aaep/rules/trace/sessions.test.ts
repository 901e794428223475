import { expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { brokenRules } from "./broken-rules.fixture.ts";
import { numberEvents, sessionUnder } from "./session.ts";

const completeSession = sessionUnder({}, {}, "start think complete");
const isNotStart = ({ message }: JsonObject): boolean => (message as JsonObject).type !== "aaep:agent.session.started";

it("treats the first event after a handshake as the first of its session only if its number is 0", () => {
  expect(brokenRules(completeSession.filter(isNotStart))).toEqual([]);
  expect(brokenRules(numberEvents(completeSession).filter(isNotStart))).toEqual([]);
  expect(brokenRules(numberEvents(completeSession.filter(isNotStart)))).toEqual(["LIFE-001 /2/message/type"]);
});
