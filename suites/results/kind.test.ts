import { expect, it } from "vitest";
import { kindOf } from "./kind.ts";

it.each([
  ["ahcp/0.3/message/invalid/title/too-long", "vector"],
  ["ahcp/0.3/message/invalid/fuzz/7/12:0:3", "vector"],
  ["ahcp/0.3/scenarios/cancel-again", "scenario"],
  ["ahcp/0.3/scenarios/walking/AHCP-CAN-004", "scenario"],
  ["ahcp/0.3/scenarios/agents/AHCP-CAN-004", "scenario"],
  ["ahcp/0.3/scenarios/walks/AHCP-CAN-004", "walk"],
  ["ahcp/0.3/scenarios/walk/AHCP-CAN-004", "walk"],
  ["ahcp/0.3/scenarios/walk-8/AHCP-CAN-004", "walk"],
  ["ahcp/0.3/scenarios/race-keys/AHCP-IDM-007", "race"],
  ["ahcp/0.3/scenarios/agent-unsigned", "agent"],
])("recognizes the kind of %s by its form", (id, kind) => {
  expect(kindOf(id)).toBe(kind);
});
