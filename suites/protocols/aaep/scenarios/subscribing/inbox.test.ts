import { expect, it } from "vitest";
import type { JsonObject, Noted, ScenarioContext } from "../../../../../schemas/index.ts";
import { inboxOf } from "./inbox.ts";

function context(): { context: ScenarioContext; recorded: Noted[] } {
  const recorded: Noted[] = [];
  const all = { setting: {}, signal: new AbortController().signal, record: (sent: Noted) => recorded.push(sent) };
  return { context: all as unknown as ScenarioContext, recorded };
}

const event = (event_id: string, more: JsonObject = {}): string =>
  JSON.stringify({ event_id, session_id: "sess_1", timestamp: new Date().toISOString(), ...more });

it("an event that came before a subscription was opened is told again there, and one that comes to both is not", () => {
  const { context: given, recorded } = context();
  const first = inboxOf(given, "first");
  first.push(event("evt_1"));
  const second = inboxOf(given, "second");
  for (const each of ["evt_1", "evt_2"]) second.push(event(each));
  first.push(event("evt_2"));
  // An id that is used again in another session makes no copy.
  second.push(event("evt_1", { session_id: "sess_2" }));
  expect(recorded.map(({ to, text, retold }) => [to, JSON.parse(text).event_id, retold === true])).toEqual([
    ["first", "evt_1", false],
    ["second", "evt_1", true],
    ["second", "evt_2", false],
    ["first", "evt_2", false],
    ["second", "evt_1", false],
  ]);
});
