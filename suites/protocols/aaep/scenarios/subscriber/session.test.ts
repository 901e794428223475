import { expect, it } from "vitest";
import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { createScript } from "../producing/events.ts";
import type { TestStand } from "../producing/test-stand.ts";
import { findPresented, sendEvent } from "./session.ts";

/** Searches for an event with a subscriber that presents only some of the sent events. */
function findAmong(presents: (events: readonly JsonObject[]) => readonly JsonObject[]) {
  const events: JsonObject[] = [];
  let count = 0;
  const context = {
    setting: { bounds: { subscriber: 0.01 } },
    signal: new AbortController().signal,
    fresh(name: string) {
      count += 1;
      return `${name}-${count}`;
    },
    hook: async () => ({ items: presents(events).map(({ event_id: id = "" }) => ({ event_id: id, text: "" })) }),
  } as unknown as ScenarioContext;
  const producer = { emit: (...sentEvents: JsonObject[]) => void events.push(...sentEvents) } as unknown as TestStand;
  const session = { context, producer, script: createScript(context) };
  return findPresented(session, sendEvent(session, "handoff.requested"));
}

it("finds an event that is only presented together with a later one", async () => {
  expect(await findAmong((events) => (events.length > 1 ? events : []))).toBeDefined();
});

it("reports an event as missing only if a later one is presented", async () => {
  expect(await findAmong((events) => events.slice(1))).toBeUndefined();
  await expect(findAmong(() => [])).rejects.toThrow("the subscriber does not present events");
});
