import type fc from "fast-check";
import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import { mishaps, rareValue, turns, type WalkModel } from "../../../../../running/scenarios/walks/index.ts";
import { closeMessage } from "../../subscribing/request.ts";
import { beginWalk, fitStep, type ProducerModel } from "./model.ts";
import { performStep, settleOpen } from "./perform-step.ts";
import { compareSubscriptions } from "./second-subscriber.ts";
import { judgeSequences, sequenceRules } from "./sequence.ts";
import { example, type ProducerStep, replyKinds, stepIn, tasks, textOf } from "./step.ts";

/** The rules that the model covers. */
const modelRules = [
  "AAEP-CONF-020",
  "AAEP-CONF-022",
  "AAEP-CONF-026",
  "AAEP-CONF-031",
  "AAEP-TOOL-016",
  "AAEP-RPL-008",
  "AAEP-RPL-009",
  "AAEP-RPL-010",
  "AAEP-RPL-011",
  "AAEP-RPL-015",
  "AAEP-RPL-016",
  "AAEP-RPL-018",
  "AAEP-RPL-020",
  "AAEP-CLAR-005",
  "AAEP-CLAR-008",
  "AAEP-CLAR-009",
  "AAEP-TMO-001",
  "AAEP-TMO-003",
  "AAEP-TMO-004",
  "AAEP-TRN-005",
  "AAEP-TRN-011",
];

/** A model of a producer: its questions, how each was settled, and a second subscription that connects and disconnects. */
export const producerWalkModel: WalkModel<ProducerModel, ProducerStep> = {
  side: "producer",
  says: "a producer behaves like its model",
  needs: ["start"],
  longest: 16,
  eachMs: 6000,
  rules: [...new Set([...modelRules, ...sequenceRules])],
  begin: beginWalk,
  fitted: fitStep,
  take: performStep,
  tidy: tidyUp,
  textOf,
  stepIn,
  example,
  steps: (fast) => arbitraryStep(fast),
  async finish(context, model, must) {
    await settleOpen(context, model, must);
    await compareSubscriptions(context, model, must);
    await judgeSequences(context, model, must);
  },
};

/** Closes the subscriptions, so that unread events do not slow down later walks. */
async function tidyUp(_context: ScenarioContext, { subscription, second }: ProducerModel): Promise<void> {
  for (const openedSubscription of [subscription, ...(second === undefined ? [] : [second.subscription])]) {
    openedSubscription.inbox.expectEnd();
    await openedSubscription.send(closeMessage(openedSubscription.id)).catch(() => {});
    openedSubscription.cut();
  }
}

function arbitraryStep(fast: typeof fc): fc.Arbitrary<ProducerStep> {
  const questionIndexes = fast.nat({ max: 3 });
  const start = fast
    .oneof(
      { weight: 4, arbitrary: fast.constant("irreversible" as const) },
      { weight: 4, arbitrary: fast.constantFrom(...tasks) },
    )
    .map((task): ProducerStep => ({ do: "start", task }));
  const reply = fast
    .tuple(
      questionIndexes,
      fast.constantFrom(...replyKinds, "accept" as const, "accept" as const, "reject" as const),
      rareValue(fast, fast.constant("second" as const), 4),
      rareValue(fast, fast.constantFrom(...mishaps), 5),
    )
    .map(
      ([questionIndex, kind, sender, mishap]): ProducerStep => ({
        do: "reply",
        questionIndex,
        kind,
        ...(sender === undefined ? {} : { sender }),
        ...(mishap === undefined ? {} : { mishap }),
      }),
    );
  const stepOf = (name: "expire" | "join" | "leave" | "cut" | "resume"): fc.Arbitrary<ProducerStep> =>
    fast.constant<ProducerStep>({ do: name });
  const deliver = fast.constantFrom(...turns).map((turn): ProducerStep => ({ do: "deliver", turn }));
  return fast.oneof(
    { weight: 5, arbitrary: start },
    { weight: 7, arbitrary: reply },
    { weight: 2, arbitrary: questionIndexes.map((questionIndex): ProducerStep => ({ do: "again", questionIndex })) },
    { weight: 1, arbitrary: questionIndexes.map((questionIndex): ProducerStep => ({ do: "cancel", questionIndex })) },
    { weight: 1, arbitrary: deliver },
    { weight: 1, arbitrary: stepOf("expire") },
    { weight: 1, arbitrary: stepOf("join") },
    { weight: 1, arbitrary: stepOf("cut") },
    { weight: 1, arbitrary: stepOf("resume") },
    { weight: 1, arbitrary: stepOf("leave") },
  );
}
