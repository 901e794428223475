import type { JsonObject } from "../../../../../schemas/index.ts";
import { makeSummaries } from "./emit.ts";
import type { Producer, ProducerSession } from "./model.ts";
import { voidQuestions } from "./questions.ts";
import { changeState, endSession, startSession, tasks } from "./work.ts";

/** Makes the operator's queries and changes of a producer, by the name of their hook. */
export function operationsOf(producer: Producer): Readonly<Record<string, (request: JsonObject) => JsonObject>> {
  const findRunningSession = ({ session_id: id }: JsonObject): ProducerSession | undefined => {
    const session = producer.sessions.get(String(id));
    return session?.hasEnded === true ? undefined : session;
  };
  return {
    start: ({ words: _, ...request }) =>
      tasks.some((task) => task === request.task)
        ? startSession(producer, request)
        : { skipped: `there is no task ${request.task}` },
    effects: ({ session_id: id }) => ({
      effects: producer.effects.filter((effect) => effect.session_id === id).map((effect) => ({ ...effect })),
    }),
    cancel(request) {
      const session = findRunningSession(request);
      if (session === undefined) return { skipped: "the session is over" };
      const withdrawsQuestions = producer.policy.withdrawsQuestions("cancel", producer);
      if (withdrawsQuestions) voidQuestions(producer, session);
      endSession(producer, session, "session.cancelled", {
        ...makeSummaries("Cancelled: nothing was done."),
        cancelled_by: "system",
      });
      session.hasEnded = withdrawsQuestions;
      return {};
    },
    drop(request) {
      const session = findRunningSession(request);
      if (session === undefined) return { skipped: "the session is over" };
      if (producer.policy.withdrawsQuestions("drop", producer)) voidQuestions(producer, session);
      if (producer.policy.announcesDrop) changeState(producer, session, "awaiting_input", "thinking");
      return {};
    },
    clock({ advanceMs = 0 }) {
      producer.clock.advance(Number(advanceMs));
      const now = new Date(producer.clock.now()).toISOString();
      return { now, timeouts: producer.policy.movesTimer("deadline"), actions: producer.policy.movesTimer("work") };
    },
    subscriptions: () => ({
      subscriptions: [...producer.subscriptions.values()]
        .filter(({ outlet, isStillListed }) => outlet !== undefined || isStillListed === true)
        .map(({ id }) => id),
    }),
  };
}
