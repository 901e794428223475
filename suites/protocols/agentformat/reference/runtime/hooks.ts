import type { Hook, JsonObject } from "../../../../../schemas/index.ts";
import type { Decisions } from "./decisions.ts";
import { startSession } from "./session.ts";

/** A runtime in this process: hooks to speak with it, and one for its clock. */
export function runtimeHooks(decisions: Decisions): Record<string, Hook> {
  let said: JsonObject[] = [];
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const session = startSession(decisions, (message) => said.push(message), now);
  return {
    tell({ message }) {
      session.tell(message as JsonObject);
      return {};
    },
    async hear() {
      // What it does at once is done before it is listened to.
      await new Promise((resolve) => setImmediate(resolve));
      const messages = said;
      said = [];
      return { messages };
    },
    clock({ advanceMs = 0 }) {
      ahead += Number(advanceMs);
      return { now: new Date(now()).toISOString() };
    },
  };
}
