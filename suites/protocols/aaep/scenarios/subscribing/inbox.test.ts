import { expect, it } from "vitest";
import type { JsonObject, Noted, ScenarioContext } from "../../../../../schemas/index.ts";
import { openInbox } from "./inbox.ts";
import { noteStartedSession } from "./known-sessions.ts";

function makeContext(): { context: ScenarioContext; recorded: Noted[] } {
  const recorded: Noted[] = [];
  const testContext = {
    setting: {},
    signal: new AbortController().signal,
    record: (sent: Noted) => recorded.push(sent),
  };
  return { context: testContext as unknown as ScenarioContext, recorded };
}

const makeEventText = (event_id: string, extraMembers: JsonObject = {}): string =>
  JSON.stringify({ event_id, session_id: "sess_1", ...timestampAfter(Number(event_id.slice(4))), ...extraMembers });

/** Makes the timestamp of an event this many seconds from now. */
function timestampAfter(seconds: number): JsonObject {
  return { timestamp: new Date(Date.now() + seconds * 1000).toISOString() };
}

it("marks an earlier event as repeated on a later subscription, but not an event that reaches both", () => {
  const { context, recorded } = makeContext();
  const firstInbox = openInbox(context, "first");
  firstInbox.push(makeEventText("evt_1"));
  const secondInbox = openInbox(context, "second");
  for (const id of ["evt_1", "evt_2"]) secondInbox.push(makeEventText(id));
  firstInbox.push(makeEventText("evt_2"));
  // The same id in another session is not a copy.
  secondInbox.push(makeEventText("evt_1", { session_id: "sess_2" }));
  expect(recorded.map(({ to, text, retold }) => [to, JSON.parse(text).event_id, retold === true])).toEqual([
    ["first", "evt_1", false],
    ["second", "evt_1", true],
    ["second", "evt_2", false],
    ["first", "evt_2", false],
    ["second", "evt_1", false],
  ]);
});

it("marks an earlier question as repeated even if no other subscription received it", () => {
  const { context, recorded } = makeContext();
  const firstInbox = openInbox(context, "first");
  for (const id of ["evt_1", "evt_3"]) firstInbox.push(makeEventText(id));
  noteStartedSession(context.setting, "sess_1");
  const secondInbox = openInbox(context, "second");
  for (const id of ["evt_2", "evt_4"]) secondInbox.push(makeEventText(id));
  expect(recorded.slice(2).map(({ text, retold }) => [JSON.parse(text).event_id, retold === true])).toEqual([
    ["evt_2", true],
    ["evt_4", false],
  ]);
});
