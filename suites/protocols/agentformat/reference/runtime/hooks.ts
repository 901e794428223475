import { type Hook, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type Manners, usualManners } from "./choices/choice.ts";
import type { Decisions } from "./decisions.ts";
import { startSession } from "./session.ts";

/** A slow runtime delays only the first messages of some runs. Delays in all messages would take longer and test nothing more. */
const slowRates = { messages: 2, runs: 2, of: 6 };

/** A runtime in this process: hooks to exchange messages with it, and one for its clock. */
export function runtimeHooks(decisions: Decisions, manners: Manners = usualManners): Record<string, Hook> {
  let outgoing: { message: JsonObject; wait: number }[] = [];
  let count = 0;
  let runs = 0;
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  const isSlow = (): boolean => count <= slowRates.messages && (runs - 1) % slowRates.of < slowRates.runs;
  const queueMessage = (message: JsonObject): void => {
    count += 1;
    const extraMembers = manners.hasMore ? { at: count, trace: { span: `s${count}` } } : {};
    outgoing.push({ message: { ...extraMembers, ...message }, wait: isSlow() ? manners.emptyReads : 0 });
  };
  const session = startSession(decisions, queueMessage, manners.hasOwnTime ? Date.now : now, manners.hasTextIds);
  return {
    tell({ message }) {
      if (isObject(message) && isObject(message.run)) {
        outgoing = [];
        count = 0;
        runs += 1;
      }
      session.tell(message as JsonObject);
      return {};
    },
    async hear() {
      // Lets the runtime's immediate actions finish before the next message is read.
      await new Promise((resolve) => setImmediate(resolve));
      const [first] = outgoing;
      if (first !== undefined && first.wait > 0) {
        first.wait -= 1;
        return { messages: [] };
      }
      const delayedIndex = outgoing.findIndex(({ wait }) => wait > 0);
      const delivered = outgoing.splice(0, manners.isSingle ? 1 : delayedIndex === -1 ? outgoing.length : delayedIndex);
      return { messages: delivered.map(({ message }) => message) };
    },
    clock({ advanceMs = 0 }) {
      aheadMs += Number(advanceMs);
      return { now: new Date(now()).toISOString() };
    },
  };
}
