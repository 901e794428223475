import { expect, it } from "vitest";
import type { JsonObject, Noted, ScenarioContext } from "../../../../../schemas/index.ts";
import { openInbox } from "./inbox.ts";
import { noteStartedSession } from "./known-sessions.ts";

function context(): { context: ScenarioContext; recorded: Noted[] } {
  const recorded: Noted[] = [];
  const all = { setting: {}, signal: new AbortController().signal, record: (sent: Noted) => recorded.push(sent) };
  return { context: all as unknown as ScenarioContext, recorded };
}

const event = (event_id: string, more: JsonObject = {}): string =>
  JSON.stringify({ event_id, session_id: "sess_1", ...after(Number(event_id.slice(4))), ...more });

/** The timestamp of an event this many seconds from now. */
function after(seconds: number): JsonObject {
  return { timestamp: new Date(Date.now() + seconds * 1000).toISOString() };
}

it("marks an event from before a subscription as repeated on it, but not an event that reaches both", () => {
  const { context: given, recorded } = context();
  const first = openInbox(given, "first");
  first.push(event("evt_1"));
  const second = openInbox(given, "second");
  for (const each of ["evt_1", "evt_2"]) second.push(event(each));
  first.push(event("evt_2"));
  // The same id in another session is not a copy.
  second.push(event("evt_1", { session_id: "sess_2" }));
  expect(recorded.map(({ to, text, retold }) => [to, JSON.parse(text).event_id, retold === true])).toEqual([
    ["first", "evt_1", false],
    ["second", "evt_1", true],
    ["second", "evt_2", false],
    ["first", "evt_2", false],
    ["second", "evt_1", false],
  ]);
});

it("a question that went to no other subscription may be repeated, even if its whole session came at once", () => {
  const { context: given, recorded } = context();
  const first = openInbox(given, "first");
  for (const id of ["evt_1", "evt_3"]) first.push(event(id));
  noteStartedSession(given.setting, "sess_1");
  const second = openInbox(given, "second");
  for (const id of ["evt_2", "evt_4"]) second.push(event(id));
  expect(recorded.slice(2).map(({ text, retold }) => [JSON.parse(text).event_id, retold === true])).toEqual([
    ["evt_2", true],
    ["evt_4", false],
  ]);
});
