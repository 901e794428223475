import { type Hook, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type Manners, usualManners } from "./choices/choice.ts";
import type { Decisions } from "./decisions.ts";
import { startSession } from "./session.ts";

/** A slow runtime delays the first two messages in two of six runs. More delays would need more time and test nothing more. */
const slowRates = { messages: 2, runs: 2, ofRuns: 6 };

/** The hooks of a runtime in this process: two to exchange messages, and one to advance its clock. */
export function runtimeHooks(decisions: Decisions, manners: Manners = usualManners): Record<string, Hook> {
  let outgoing: { message: JsonObject; wait: number }[] = [];
  let messageCount = 0;
  let runCount = 0;
  let clockOffsetMs = 0;
  const now = (): number => Date.now() + clockOffsetMs;
  const isSlow = (): boolean =>
    messageCount <= slowRates.messages && (runCount - 1) % slowRates.ofRuns < slowRates.runs;
  const queueMessage = (message: JsonObject): void => {
    messageCount += 1;
    const extraMembers = manners.hasMore ? { at: messageCount, trace: { span: `s${messageCount}` } } : {};
    outgoing.push({ message: { ...extraMembers, ...message }, wait: isSlow() ? manners.emptyReads : 0 });
  };
  const session = startSession(decisions, queueMessage, manners.hasOwnTime ? Date.now : now, manners.hasTextIds);
  return {
    tell({ message }) {
      if (isObject(message) && isObject(message.run)) {
        outgoing = [];
        messageCount = 0;
        runCount += 1;
      }
      session.tell(message as JsonObject);
      return {};
    },
    async hear() {
      // Lets the runtime finish its pending actions before the next message is read.
      await new Promise((resolve) => setImmediate(resolve));
      const [first] = outgoing;
      if (first !== undefined && first.wait > 0) {
        first.wait -= 1;
        return { messages: [] };
      }
      const delayedIndex = outgoing.findIndex(({ wait }) => wait > 0);
      const readyCount = delayedIndex === -1 ? outgoing.length : delayedIndex;
      const delivered = outgoing.splice(0, manners.isSingle ? 1 : readyCount);
      return { messages: delivered.map(({ message }) => message) };
    },
    clock({ advanceMs = 0 }) {
      clockOffsetMs += Number(advanceMs);
      return { now: new Date(now()).toISOString() };
    },
  };
}
