import { expect, it } from "vitest";
import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { scriptOf } from "../producing/events.ts";
import type { Stand } from "../producing/test-stand.ts";
import { findPresented, sendEvent } from "./story.ts";

/** A subscriber that presents these of the sent events. */
function told(presents: (events: readonly JsonObject[]) => readonly JsonObject[]) {
  const events: JsonObject[] = [];
  let fresh = 0;
  const context = {
    setting: { bounds: { subscriber: 0.01 } },
    signal: new AbortController().signal,
    fresh(name: string) {
      fresh += 1;
      return `${name}-${fresh}`;
    },
    hook: async () => ({ items: presents(events).map(({ event_id: id = "" }) => ({ event_id: id, text: "" })) }),
  } as unknown as ScenarioContext;
  const producer = { emit: (...more: JsonObject[]) => void events.push(...more) } as unknown as Stand;
  const given = { context, producer, script: scriptOf(context) };
  return findPresented(given, sendEvent(given, "handoff.requested"));
}

it("an event that is presented with a later one is late, not missing", async () => {
  expect(await told((events) => (events.length > 1 ? events : []))).toBeDefined();
});

it("an event is missing if a later one is presented; if none is, nothing is concluded", async () => {
  expect(await told((events) => events.slice(1))).toBeUndefined();
  await expect(told(() => [])).rejects.toThrow("the subscriber presents no events");
});
