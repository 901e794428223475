import type fc from "fast-check";
import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import { type Must, mishaps, rareValue, turns, type WalkModel } from "../../../../../running/scenarios/walks/index.ts";
import { compareWithModel } from "./judge.ts";
import { type AgentWalkModel, beginWalk, fitStep, tidyUp } from "./model.ts";
import { example, flaws, stepIn, textOf, type WalkStep, works } from "./step.ts";
import { performStep } from "./take.ts";

/** The rules that the model covers. */
const rules = [
  "CONV-RECV-001",
  "CONV-RECV-002",
  "CONV-RECV-003",
  "CONV-RECV-004",
  "CONV-RECV-005",
  "CONV-CUE-003",
  "CONV-CUE-004",
  "CONV-CUE-006",
  "CONV-HAND-001",
  "CONV-JID-001",
  "CONV-JID-007",
];

/** The model of an agent: its tasks and cues, and when their work must have ended. */
export const agentModel: WalkModel<AgentWalkModel, WalkStep> = {
  side: "agent",
  says: "an agent behaves like its model",
  needs: [],
  longest: 16,
  eachMs: 8000,
  rules,
  begin: beginWalk,
  fitted: fitStep,
  take: performStep,
  finish,
  tidy: tidyUp,
  textOf,
  stepIn,
  example,
  steps: (fast) => stepsFor(fast),
};

async function finish(_context: ScenarioContext, model: AgentWalkModel, must: Must): Promise<void> {
  const { agent, tasks, cues } = model;
  if (tasks.some(({ halt, work }) => halt !== undefined || work === "handoff") || cues.length > 0)
    await agent.pass(3 * agent.beat);
  await compareWithModel(model, must);
}

function stepsFor(fast: typeof fc): fc.Arbitrary<WalkStep> {
  const indices = fast.nat({ max: 3 });
  const sendStep = <Step extends object>(step: fc.Arbitrary<Step>): fc.Arbitrary<WalkStep> =>
    fast
      .tuple(step, rareValue(fast, fast.constantFrom(...mishaps), 4))
      .map(([step, mishap]) => ({ ...step, ...(mishap === undefined ? {} : { mishap }) }) as unknown as WalkStep);
  const assign = fast.constantFrom(...works).map((work) => ({ do: "assign", work }));
  const broken = fast.constantFrom(...flaws).map((flaw) => ({ do: "broken", flaw }));
  const simpleStep = (name: string): fc.Arbitrary<WalkStep> => sendStep(fast.constant({ do: name }));
  const indexedStep = (name: string): fc.Arbitrary<WalkStep> => sendStep(indices.map((index) => ({ do: name, index })));
  return fast.oneof(
    { weight: 8, arbitrary: sendStep(assign) },
    { weight: 3, arbitrary: indexedStep("update") },
    { weight: 3, arbitrary: sendStep(broken) },
    { weight: 1, arbitrary: simpleStep("misaddressed") },
    { weight: 2, arbitrary: simpleStep("stray") },
    { weight: 1, arbitrary: simpleStep("complain") },
    { weight: 3, arbitrary: simpleStep("warn") },
    { weight: 3, arbitrary: indexedStep("standby") },
    { weight: 3, arbitrary: indexedStep("go") },
    { weight: 2, arbitrary: simpleStep("stop") },
    { weight: 2, arbitrary: indices.map((index): WalkStep => ({ do: "again", index })) },
    { weight: 2, arbitrary: fast.constantFrom(...turns).map((turn): WalkStep => ({ do: "deliver", turn })) },
    { weight: 1, arbitrary: fast.constant<WalkStep>({ do: "wait" }) },
  );
}
