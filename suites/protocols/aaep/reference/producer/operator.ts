import type { JsonObject } from "../../../../../schemas/index.ts";
import { summaries } from "./emit.ts";
import type { Producer, ProducerSession } from "./model.ts";
import { voidQuestions } from "./questions.ts";
import { end, start, state, tasks } from "./work.ts";

/** The operator's access to a producer: queries and changes. */
export function operationsOf(producer: Producer): Readonly<Record<string, (given: JsonObject) => JsonObject>> {
  const running = ({ session_id: id }: JsonObject): ProducerSession | undefined => {
    const session = producer.sessions.get(String(id));
    return session?.ended === true ? undefined : session;
  };
  return {
    start: ({ words: _, ...given }) =>
      tasks.some((task) => task === given.task)
        ? start(producer, given)
        : { skipped: `there is no task ${given.task}` },
    effects: ({ session_id: id }) => ({
      effects: producer.effects.filter((effect) => effect.session_id === id).map((effect) => ({ ...effect })),
    }),
    cancel(given) {
      const session = running(given);
      if (session === undefined) return { skipped: "the session is over" };
      const isOver = producer.policy.voids("cancel", producer);
      if (isOver) voidQuestions(producer, session);
      end(producer, session, "session.cancelled", {
        ...summaries("Cancelled: nothing was done."),
        cancelled_by: "system",
      });
      session.ended = isOver;
      return {};
    },
    drop(given) {
      const session = running(given);
      if (session === undefined) return { skipped: "the session is over" };
      if (producer.policy.voids("drop", producer)) voidQuestions(producer, session);
      if (producer.policy.announcesDrop) state(producer, session, "awaiting_input", "thinking");
      return {};
    },
    clock({ advanceMs = 0 }) {
      producer.clock.advance(Number(advanceMs));
      const now = new Date(producer.clock.now()).toISOString();
      return { now, timeouts: producer.policy.moves("deadline"), actions: producer.policy.moves("work") };
    },
    subscriptions: () => ({
      subscriptions: [...producer.subscriptions.values()]
        .filter(({ outlet, isKept }) => outlet !== undefined || isKept === true)
        .map(({ id }) => id),
    }),
  };
}
