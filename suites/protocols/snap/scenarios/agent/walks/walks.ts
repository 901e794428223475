import type fc from "fast-check";
import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import { mishaps, rareValue, turns, type WalkModel } from "../../../../../running/scenarios/walks/index.ts";
import { ask, request } from "../../parties.ts";
import { ofAnswers } from "./judge.ts";
import { type AgentModel, beginWalk, fitStep } from "./model.ts";
import { type AgentStep, example, messageFaults, type SendingManner, stepIn, textOf, texts } from "./step.ts";
import { finish, take } from "./take.ts";

/** The rules that the model covers. */
const rules = [
  "SNAP-SIG-009",
  "SNAP-TIME-001",
  "SNAP-RCPT-001",
  "SNAP-VAL-006",
  "SNAP-REPLAY-001",
  "SNAP-REPLAY-003",
  "SNAP-REPLAY-007",
  "SNAP-STREAM-008",
];

/** A model of an agent: its tasks, and the messages that it has accepted. */
export const agent: WalkModel<AgentModel, AgentStep> = {
  side: "agent",
  says: "an agent behaves like the model of it",
  needs: ["url"],
  longest: 20,
  eachMs: 4000,
  rules: [...rules, ...ofAnswers],
  lasting: ["SNAP-SIG-012", "SNAP-RCPT-003", "SNAP-RCPT-004"],
  begin: beginWalk,
  fitted: fitStep,
  take,
  finish,
  tidy: cancelEndlessWork,
  textOf,
  stepIn,
  example,
  steps: (fast) => stepsFor(fast),
};

/** Closes the socket, and cancels all endless work. */
async function cancelEndlessWork(context: ScenarioContext, { peer, tasks, socket }: AgentModel): Promise<void> {
  socket?.close();
  for (const { id, text, isCancelled } of tasks)
    if (text === "working" && !isCancelled)
      await ask(context, peer, await request(context, peer, "tasks/cancel", { taskId: id }));
}

function stepsFor(fast: typeof fc): fc.Arbitrary<AgentStep> {
  const index = fast.nat({ max: 3 });
  const transport = rareValue(fast, fast.constant("socket" as const), 4);
  const manner = fast
    .tuple(
      rareValue(fast, fast.constantFrom(...messageFaults), 3),
      transport,
      rareValue(fast, fast.constantFrom(...mishaps), 5),
    )
    .map(
      ([fault, transport, mishap]): SendingManner => ({
        ...(fault === undefined ? {} : { fault }),
        ...(transport === undefined ? {} : { transport }),
        ...(mishap === undefined ? {} : { mishap }),
      }),
    );
  const text = fast.constantFrom(...texts, "plain" as const);
  const sendingStep = (name: "send" | "stream"): fc.Arbitrary<AgentStep> =>
    fast.tuple(text, manner).map(([text, manner]): AgentStep => ({ do: name, text, ...manner }));
  const taskStep = (name: "get" | "cancel" | "continue"): fc.Arbitrary<AgentStep> =>
    fast.tuple(index, manner).map(([index, manner]): AgentStep => ({ do: name, index, ...manner }));
  const repeatingStep = (name: "replay" | "reuse"): fc.Arbitrary<AgentStep> =>
    fast
      .tuple(index, transport)
      .map(([index, transport]): AgentStep => ({ do: name, index, ...(transport === undefined ? {} : { transport }) }));
  return fast.oneof(
    { weight: 5, arbitrary: sendingStep("send") },
    { weight: 2, arbitrary: sendingStep("stream") },
    { weight: 1, arbitrary: taskStep("get") },
    { weight: 3, arbitrary: taskStep("cancel") },
    { weight: 1, arbitrary: taskStep("continue") },
    { weight: 3, arbitrary: repeatingStep("replay") },
    { weight: 1, arbitrary: repeatingStep("reuse") },
    { weight: 1, arbitrary: fast.constantFrom(...turns).map((turn): AgentStep => ({ do: "deliver", turn })) },
    { weight: 1, arbitrary: fast.constant<AgentStep>({ do: "wait" }) },
  );
}
