import type fc from "fast-check";
import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import { mishaps, rareValue, turns, type WalkModel } from "../../../../../running/scenarios/walks/index.ts";
import { closeMessage } from "../../subscribing/request.ts";
import { beginWalk, fitStep, type ProducerModel } from "./model.ts";
import { compare } from "./second-subscriber.ts";
import { inSequence, sequences } from "./sequence.ts";
import { example, type ProducerStep, replyKinds, stepIn, tasks, textOf } from "./step.ts";
import { settleOpen, take } from "./take.ts";

/** The rules in the model. */
const rules = [
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

/** A model of a producer: its questions, how each was settled, and a second subscription that comes and goes. */
export const producer: WalkModel<ProducerModel, ProducerStep> = {
  side: "producer",
  says: "a producer behaves like the model of it",
  needs: ["start"],
  longest: 16,
  eachMs: 6000,
  rules: [...new Set([...rules, ...sequences])],
  begin: beginWalk,
  fitted: fitStep,
  take,
  tidy: tidyUp,
  textOf,
  stepIn,
  example,
  steps: (fast) => stepsFor(fast),
  async finish(context, model, must) {
    await settleOpen(context, model, must);
    await compare(context, model, must);
    await inSequence(context, model, must);
  },
};

/** Leaves, so that unread events do not slow down later walks. */
async function tidyUp(_stage: ScenarioContext, { line, second }: ProducerModel): Promise<void> {
  for (const each of [line, ...(second === undefined ? [] : [second.line])]) {
    each.inbox.expectEnd();
    await each.send(closeMessage(each.id)).catch(() => {});
    each.cut();
  }
}

function stepsFor(fast: typeof fc): fc.Arbitrary<ProducerStep> {
  const of = fast.nat({ max: 3 });
  const start = fast
    .oneof(
      { weight: 4, arbitrary: fast.constant("irreversible" as const) },
      { weight: 4, arbitrary: fast.constantFrom(...tasks) },
    )
    .map((task): ProducerStep => ({ do: "start", task }));
  const reply = fast
    .tuple(
      of,
      fast.constantFrom(...replyKinds, "accept" as const, "accept" as const, "reject" as const),
      rareValue(fast, fast.constant("second" as const), 4),
      rareValue(fast, fast.constantFrom(...mishaps), 5),
    )
    .map(
      ([of, how, by, mishap]): ProducerStep => ({
        do: "reply",
        of,
        how,
        ...(by === undefined ? {} : { by }),
        ...(mishap === undefined ? {} : { mishap }),
      }),
    );
  const alone = (name: "expire" | "join" | "leave" | "cut" | "resume"): fc.Arbitrary<ProducerStep> =>
    fast.constant<ProducerStep>({ do: name });
  const deliver = fast.constantFrom(...turns).map((turn): ProducerStep => ({ do: "deliver", turn }));
  return fast.oneof(
    { weight: 5, arbitrary: start },
    { weight: 7, arbitrary: reply },
    { weight: 2, arbitrary: of.map((index): ProducerStep => ({ do: "again", of: index })) },
    { weight: 1, arbitrary: of.map((index): ProducerStep => ({ do: "cancel", of: index })) },
    { weight: 1, arbitrary: deliver },
    { weight: 1, arbitrary: alone("expire") },
    { weight: 1, arbitrary: alone("join") },
    { weight: 1, arbitrary: alone("cut") },
    { weight: 1, arbitrary: alone("resume") },
    { weight: 1, arbitrary: alone("leave") },
  );
}
