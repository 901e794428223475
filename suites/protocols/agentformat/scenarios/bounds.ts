import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { reachIfThere } from "../../../running/scenarios/way/reach.ts";
import { agentDocument, reactDocument, step } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { actTimes } from "./react.ts";
import {
  countOf,
  describeEnd,
  type FinishedRun,
  type Hands,
  namesOf,
  outputOf,
  type Runtime,
  requireSupport,
  runtimeOf,
} from "./runtime.ts";

const rule = "AGF-CONS-002";
const input = { q: "tea" };
const limitSections = (limits: JsonObject, budget: JsonObject = {}): JsonObject => ({
  constraints: { limits, budget },
});

const countedScenarios = (["max_tool_calls", "max_llm_calls"] as const).map((limit): Scenario => {
  const kind = limit === "max_tool_calls" ? "tool" : "model";
  return {
    name: `bounds-${kind}-calls`,
    says: `a run makes no more ${kind} calls than ${limit}`,
    rules: [rule],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const { integer } = drawFrom(context);
      const callsPerAnswer = integer(2, 4);
      const models: [description: string, model: NonNullable<Hands["model"]>][] = [
        ["one call per answer", actTimes(8)],
      ];
      if (kind === "tool") models.push([`${callsPerAnswer} calls per answer`, actTimes(4, { callsPerAnswer })]);
      for (const [description, model] of models) {
        const unlimitedRun = requireSupport(await runtime.play({ document: reactDocument(), input }, { model }));
        for (const maximum of [1, integer(2, 3), integer(4, 5)]) {
          const runText = `${limit} ${maximum}, ${description}`;
          if (countOf(unlimitedRun, kind) <= maximum) {
            context.skip(rule, `${runText}: even without a limit there are only ${countOf(unlimitedRun, kind)}`);
            continue;
          }
          const document = reactDocument({}, limitSections({ [limit]: maximum }));
          const result = await runtime.play({ document, input }, { model });
          const count = countOf(result, kind);
          context.expect(rule, count <= maximum, `${runText}: ${count} are made; the run ${describeEnd(result)}`);
        }
      }
      // The specification does not define 0 for this limit.
      const resultWithZero = await runtime.play(
        { document: reactDocument({}, limitSections({ [limit]: 0 })), input },
        { model: actTimes(8) },
      );
      context.expect(
        rule,
        countOf(resultWithZero, kind) === 0,
        `${limit} 0: ${countOf(resultWithZero, kind)} are made`,
        "SHOULD",
      );
    },
  };
});

/** Token counts of an answer, a token budget, and the number of model calls within the budget. */
function drawTokenCases({ integer }: Draw): { usage: JsonObject; budget: number; maxCalls: number }[] {
  return [
    [integer(80, 120), integer(30, 60)],
    [integer(1, 9), integer(55, 70)],
    [integer(55, 70), integer(1, 9)],
    [integer(20, 22), integer(20, 22)],
  ].map(([inputTokens = 0, outputTokens = 0]) => {
    const budget = 100;
    return {
      usage: { input: inputTokens, output: outputTokens },
      budget,
      maxCalls: Math.ceil(budget / (inputTokens + outputTokens)),
    };
  });
}

const tokenScenario: Scenario = {
  name: "bounds-tokens",
  says: "a model is not asked again after the token budget is used up",
  rules: [rule],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    for (const { usage, budget, maxCalls } of drawTokenCases(drawFrom(context))) {
      const model = actTimes(6, { usage });
      const unlimitedRun = requireSupport(await runtime.play({ document: reactDocument(), input }, { model }));
      if (countOf(unlimitedRun, "model") <= maxCalls)
        return context.skip(
          rule,
          `even without a budget the model is asked only ${countOf(unlimitedRun, "model")} times`,
        );
      const document = reactDocument({}, limitSections({}, { max_token_usage: budget }));
      const result = await runtime.play({ document, input }, { model });
      const modelCalls = countOf(result, "model");
      const runText = `max_token_usage ${budget}, ${usage.input} in and ${usage.output} out each time`;
      const why = `${runText}: the model is asked ${modelCalls} times instead of ${maxCalls} at most; the run ${describeEnd(result)}`;
      context.expect(rule, modelCalls <= maxCalls, why);
    }
  },
};

/** Lets time pass for the runtime, by its clock or in real time; returns whether it did. */
type PassTime = (context: ScenarioContext, advanceMs: number) => Promise<boolean>;

const passByClock: PassTime = async (context, advanceMs) =>
  (await reachIfThere(context, "clock", { advanceMs })) !== undefined;
const waitInRealTime: PassTime = async (context, milliseconds) => {
  await context.wait(milliseconds / (context.setting.timeScale ?? 1));
  return true;
};

/** How many milliseconds the agents of a sequence work. Both cases exceed a second: one agent alone, or two together. */
const [oneAlone, twoTogether] = [{ a: 1300 }, { a: 650, b: 650 }] as const;

/** Plays a sequence of agents with these durations, followed by one more agent; undefined if the time does not pass. */
async function playSlowly(
  context: ScenarioContext,
  runtime: Runtime,
  {
    durations,
    passTime,
    seconds,
  }: { durations: Readonly<Record<string, number>>; passTime: PassTime; seconds: number },
): Promise<FinishedRun | undefined> {
  const steps = [...Object.keys(durations), "after"].map((name) => step(name));
  const document = agentDocument("agf.sequential", { steps }, limitSections({}, { max_duration_seconds: seconds }));
  let isPassed = true;
  const result = await runtime.play(
    { document, input },
    {
      async agent({ name }) {
        const milliseconds = durations[String(name)];
        if (milliseconds !== undefined) isPassed &&= await passTime(context, milliseconds);
        return { output: { n: 1 } };
      },
    },
  );
  return isPassed ? requireSupport(result) : undefined;
}

const timeScenario: Scenario = {
  name: "bounds-time",
  says: "nothing is called after the time limit",
  rules: [rule],
  needs: [],
  withinMs: 600_000,
  waits: 4000,
  async play(context) {
    const runtime = runtimeOf(context);
    const formatCalls = (playedRun: FinishedRun | undefined): string =>
      playedRun === undefined ? "" : namesOf(playedRun, "agent").join();
    for (const durations of [oneAlone, twoTogether]) {
      const isLate = (playedRun: FinishedRun | undefined): boolean => formatCalls(playedRun).endsWith("after");
      // Moving the clock need not affect this limit, so only real time can show a violation.
      let result = await playSlowly(context, runtime, { durations, passTime: passByClock, seconds: 1 });
      if (result === undefined || isLate(result))
        result = await playSlowly(context, runtime, { durations, passTime: waitInRealTime, seconds: 1 });
      const calledNames = formatCalls(result);
      if (calledNames === "") return context.skip(rule, "the runtime does not make its first call within a second");
      if (!isLate(result)) {
        const unlimitedRun = await playSlowly(context, runtime, { durations, passTime: passByClock, seconds: 3600 });
        if (unlimitedRun !== undefined && !isLate(unlimitedRun))
          return context.skip(
            rule,
            `with a limit of an hour the last agent is not called either: the run ${describeEnd(unlimitedRun)}`,
          );
      }
      const names = Object.keys(durations).join(" and ");
      const why = `max_duration_seconds 1: another agent is called after ${names} worked longer than that`;
      context.expect(rule, !isLate(result), why);
    }
  },
};

const depthScenario: Scenario = {
  name: "bounds-depth",
  says: "a run that may not delegate does not call a sub-agent",
  rules: [rule],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const document = (sections: JsonObject) => agentDocument("agf.sequential", { steps: [step("a")] }, sections);
    const free = requireSupport(await runtime.play({ document: document({}), input }));
    if (countOf(free, "agent") === 0) return context.skip(rule, `without a limit the run ${describeEnd(free)} as well`);
    const result = await runtime.play({ document: document(limitSections({ max_delegation_depth: 0 })), input });
    // The specification does not define 0 for this limit.
    context.expect(rule, countOf(result, "agent") === 0, "max_delegation_depth 0: a sub-agent is called", "SHOULD");
  },
};

const exactScenario: Scenario = {
  name: "bounds-exact",
  says: "a run completes if it only just reaches its limits",
  rules: ["AGF-POL-009"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const { integer } = drawFrom(context);
    const callCount = integer(2, 5);
    const callsPerAnswer = integer(2, 4);
    const tokens = 15 * (callCount + 1) + integer(0, 9);
    for (const [runText, toolAnswers, limits, settings, { callsPerAnswer: calls = 1, budget = {} } = {}] of [
      [`max_tool_calls ${callCount}`, callCount, { max_tool_calls: callCount }, {}],
      [`max_llm_calls ${callCount + 1}`, callCount, { max_llm_calls: callCount + 1 }, {}],
      [
        "both, with a provider and a temperature that may be overridden",
        2,
        { max_tool_calls: 2, max_llm_calls: 3, max_delegation_depth: 1 },
        { provider: "nobody", temperature: 0 },
      ],
      [`max_steps ${callCount + 1}`, callCount, {}, { max_steps: callCount + 1 }],
      ["max_steps absent, which means 10", 9, {}, {}],
      ["max_steps 12", 11, {}, { max_steps: 12 }],
      [
        `max_steps ${callCount + 1}, ${callsPerAnswer} calls per answer`,
        callCount,
        {},
        { max_steps: callCount + 1 },
        { callsPerAnswer },
      ],
      [
        `max_llm_calls ${callCount + 1}, ${callsPerAnswer} calls per answer`,
        callCount,
        { max_llm_calls: callCount + 1 },
        {},
        { callsPerAnswer },
      ],
      [
        `max_tool_calls ${callCount * callsPerAnswer}, ${callsPerAnswer} calls per answer`,
        callCount,
        { max_tool_calls: callCount * callsPerAnswer },
        {},
        { callsPerAnswer },
      ],
      [`max_token_usage ${tokens}, 15 each time`, callCount, {}, {}, { budget: { max_token_usage: tokens } }],
    ] as WithinLimits[]) {
      const usualLimits = { max_token_usage: 100_000, max_duration_seconds: 3600 };
      const document = reactDocument(settings, limitSections(limits, { ...usualLimits, ...budget }));
      const model = actTimes(toolAnswers, { callsPerAnswer: calls });
      const result = requireSupport(await runtime.play({ document, input }, { model }));
      const [modelCalls, toolCalls] = [countOf(result, "model"), countOf(result, "tool")];
      // The specification does not say that every call of an answer is made.
      const areToolsCalled = toolCalls >= toolAnswers && toolCalls <= toolAnswers * calls;
      const isComplete = areToolsCalled && modelCalls === toolAnswers + 1 && outputOf(result) !== undefined;
      const countText = `of ${toolAnswers + 1} model calls and ${toolAnswers * calls} tool calls, ${modelCalls} and ${toolCalls} are made`;
      context.expect("AGF-POL-009", isComplete, `${runText}: ${countText}; the run ${describeEnd(result)}`);
    }
    await checkSiblingCalls(context, runtime, integer(2, 5));
  },
};

/** Checks that several calls by one parent do not add to the depth. The parent itself may count as depth 1. */
async function checkSiblingCalls(context: ScenarioContext, runtime: Runtime, depth: number): Promise<void> {
  const names = Array.from({ length: depth + 2 }, (_, index) => `a${index}`);
  const config = { steps: names.map((name) => step(name)) };
  const document = agentDocument("agf.sequential", config, limitSections({ max_delegation_depth: depth }));
  const free = await runtime.play({ document: agentDocument("agf.sequential", config), input });
  if (outputOf(free) === undefined)
    return context.skip(
      "AGF-POL-009",
      `max_delegation_depth was not tested: without it the run ${describeEnd(free)} as well`,
    );
  const result = await runtime.play({ document, input });
  const isComplete = countOf(result, "agent") === names.length && outputOf(result) !== undefined;
  const countText = `of ${names.length} agents that one parent calls, ${countOf(result, "agent")} are called`;
  context.expect(
    "AGF-POL-009",
    isComplete,
    `max_delegation_depth ${depth}: ${countText}; the run ${describeEnd(result)}`,
  );
}

/** A run that reaches its limits exactly; `toolAnswers` is the number of model answers with a tool call. */
type WithinLimits = [
  runText: string,
  toolAnswers: number,
  limits: JsonObject,
  settings: JsonObject,
  options?: { callsPerAnswer?: number; budget?: JsonObject },
];

export const boundScenarios: readonly Scenario[] = [
  ...countedScenarios,
  tokenScenario,
  timeScenario,
  depthScenario,
  exactScenario,
];
