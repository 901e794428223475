import type fc from "fast-check";
import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import { type Must, mishaps, rareValue, turns, type WalkModel } from "../../../../../running/scenarios/walks/index.ts";
import { compare } from "./judge.ts";
import { type AgentWalkModel, beginWalk, fitStep, tidyUp } from "./model.ts";
import { example, flaws, stepIn, textOf, type WalkStep, works } from "./step.ts";
import { take } from "./take.ts";

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

/** A model of an agent: its known tasks and cues, and the ends of the work on them. */
export const agent: WalkModel<AgentWalkModel, WalkStep> = {
  side: "agent",
  says: "an agent does as a model of it",
  needs: [],
  longest: 16,
  eachMs: 8000,
  rules,
  begin: beginWalk,
  fitted: fitStep,
  take,
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
  await compare(model, must);
}

function stepsFor(fast: typeof fc): fc.Arbitrary<WalkStep> {
  const of = fast.nat({ max: 3 });
  const sendStep = <Step extends object>(step: fc.Arbitrary<Step>): fc.Arbitrary<WalkStep> =>
    fast
      .tuple(step, rareValue(fast, fast.constantFrom(...mishaps), 4))
      .map(([step, mishap]) => ({ ...step, ...(mishap === undefined ? {} : { mishap }) }) as unknown as WalkStep);
  const assign = fast.constantFrom(...works).map((work) => ({ do: "assign", work }));
  const broken = fast.constantFrom(...flaws).map((flaw) => ({ do: "broken", flaw }));
  const alone = (name: string): fc.Arbitrary<WalkStep> => sendStep(fast.constant({ do: name }));
  const about = (name: string): fc.Arbitrary<WalkStep> => sendStep(of.map((of) => ({ do: name, of })));
  return fast.oneof(
    { weight: 8, arbitrary: sendStep(assign) },
    { weight: 3, arbitrary: about("update") },
    { weight: 3, arbitrary: sendStep(broken) },
    { weight: 1, arbitrary: alone("misaddressed") },
    { weight: 2, arbitrary: alone("stray") },
    { weight: 1, arbitrary: alone("complain") },
    { weight: 3, arbitrary: alone("warn") },
    { weight: 3, arbitrary: about("standby") },
    { weight: 3, arbitrary: about("go") },
    { weight: 2, arbitrary: alone("stop") },
    { weight: 2, arbitrary: of.map((of): WalkStep => ({ do: "again", of })) },
    { weight: 2, arbitrary: fast.constantFrom(...turns).map((turn): WalkStep => ({ do: "deliver", turn })) },
    { weight: 1, arbitrary: fast.constant<WalkStep>({ do: "wait" }) },
  );
}
