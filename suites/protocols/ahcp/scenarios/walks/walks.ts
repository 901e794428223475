import type fc from "fast-check";
import type { ScenarioContext } from "../../../../../schemas/index.ts";
import type { WalkModel } from "../../../../running/scenarios/walks/index.ts";
import { cancel, resolve } from "../steps.ts";
import { beginWalk, fitStep, type HubModel } from "./model.ts";
import { exampleWalk, formatStep, type HubStep, messageTypes, parseStep, resolutions } from "./step.ts";
import { takeStep } from "./take.ts";

/** The rules that the model checks. */
const rules = [
  "AHCP-IDM-001",
  "AHCP-IDM-002",
  "AHCP-IDM-003",
  "AHCP-IDM-005",
  "AHCP-IDM-013",
  "AHCP-LIF-001",
  "AHCP-LIF-002",
  "AHCP-LIF-005",
  "AHCP-LIF-008",
  "AHCP-TSK-005",
  "AHCP-CAN-001",
  "AHCP-CAN-002",
  "AHCP-CAN-003",
  "AHCP-CAN-004",
  "AHCP-CAN-005",
  "AHCP-EXP-004",
  "AHCP-EXP-006",
  "AHCP-EXP-007",
  "AHCP-EXP-008",
  "AHCP-EXP-009",
  "AHCP-DUR-001",
  "AHCP-DUR-002",
  "AHCP-DUR-003",
  "AHCP-DUR-005",
  "AHCP-DUR-006",
];

/** The walks against a hub, which are compared with a model of its messages. */
export const hub: WalkModel<HubModel, HubStep> = {
  says: "a hub behaves like its model",
  rules,
  needs: [],
  longest: 30,
  eachMs: 3000,
  begin: beginWalk,
  steps: stepsFor,
  fitted: fitStep,
  take: takeStep,
  tidy: tidyUp,
  textOf: formatStep,
  stepIn: parseStep,
  example: exampleWalk,
};

/** Ends open messages, because hubs limit their number. */
async function tidyUp(context: ScenarioContext, { messages }: HubModel): Promise<void> {
  for (const { id, type, status } of messages) {
    if (status !== "open") continue;
    if (type === "ask") await cancel(context, id);
    else if (type === "task" && context.has("resolve")) await resolve(context, id, { resolution: "dismissed" });
  }
}

/** Generates the steps for which the target has the necessary hooks. */
function stepsFor(fast: typeof fc, context: ScenarioContext): fc.Arbitrary<HubStep> {
  const messageIndex = fast.nat({ max: 3 });
  const type = fast.constantFrom(...messageTypes);
  const hasClock = context.has("clock");
  const hasDeadline = hasClock ? fast.boolean() : fast.constant(false);
  const submit = fast
    .tuple(type, hasDeadline)
    .map(([type, isDue]): HubStep => ({ do: "submit", type, ...(isDue && type !== "notify" ? { due: true } : {}) }));
  const stepsNamed = (
    name: Extract<HubStep, { of: number }>["do"] & ("replay" | "rerun" | "alter" | "poll" | "cancel" | "steal"),
  ) => messageIndex.map((index): HubStep => ({ do: name, of: index }));
  const resolving = fast
    .tuple(messageIndex, fast.constantFrom(...resolutions))
    .map(([index, resolution]): HubStep => ({ do: "resolve", of: index, word: resolution }));
  const optionalSteps: fc.MaybeWeightedArbitrary<HubStep>[] = [
    ...(context.has("resolve") ? [{ weight: 5, arbitrary: resolving }] : []),
    ...(context.has("second-credential") ? [{ weight: 1, arbitrary: stepsNamed("steal") }] : []),
    ...(hasClock ? [{ weight: 2, arbitrary: fast.constant<HubStep>({ do: "expire" }) }] : []),
    ...(context.has("restart") ? [{ weight: 1, arbitrary: fast.constant<HubStep>({ do: "restart" }) }] : []),
  ];
  return fast.oneof(
    { weight: 5, arbitrary: submit },
    { weight: 2, arbitrary: stepsNamed("replay") },
    { weight: 1, arbitrary: stepsNamed("rerun") },
    { weight: 2, arbitrary: stepsNamed("alter") },
    { weight: 1, arbitrary: stepsNamed("poll") },
    { weight: 3, arbitrary: stepsNamed("cancel") },
    ...optionalSteps,
  );
}
