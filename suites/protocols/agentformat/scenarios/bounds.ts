import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { reachIfThere } from "../../../running/scenarios/way/reach.ts";
import { agentDocument, reactDocument, step } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { actTimes } from "./react.ts";
import {
  countOf,
  endOf,
  type FinishedRun,
  type Hands,
  mustBeSupported,
  namesOf,
  outputOf,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

const rule = "AGF-CONS-002";
const input = { q: "tea" };
const limitAgent = (limits: JsonObject, budget: JsonObject = {}): JsonObject => ({ constraints: { limits, budget } });

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
      const each = integer(2, 4);
      const ways: [says: string, model: NonNullable<Hands["model"]>][] = [["one call an answer", actTimes(8)]];
      if (kind === "tool") ways.push([`${each} calls an answer`, actTimes(4, { each })]);
      for (const [says, model] of ways) {
        const free = mustBeSupported(await runtime.play({ document: reactDocument(), input }, { model }));
        for (const maximum of [1, integer(2, 3), integer(4, 5)]) {
          const runText = `${limit} ${maximum}, ${says}`;
          if (countOf(free, kind) <= maximum) {
            context.skip(rule, `${runText}: without a limit there are no more than ${countOf(free, kind)} either`);
            continue;
          }
          const document = reactDocument({}, limitAgent({ [limit]: maximum }));
          const result = await runtime.play({ document, input }, { model });
          const count = countOf(result, kind);
          context.expect(rule, count <= maximum, `${runText}: ${count} are made; the run ${endOf(result)}`);
        }
      }
      // The specification does not define 0 for this limit.
      const none = await runtime.play(
        { document: reactDocument({}, limitAgent({ [limit]: 0 })), input },
        { model: actTimes(8) },
      );
      context.expect(rule, countOf(none, kind) === 0, `${limit} 0: ${countOf(none, kind)} are made`, "SHOULD");
    },
  };
});

/** The tokens of each answer, and a budget that is larger or smaller than one answer needs. */
function drawSpending({ integer }: Draw): { usage: JsonObject; budget: number; most: number }[] {
  return [
    [integer(80, 120), integer(30, 60)],
    [integer(1, 9), integer(55, 70)],
    [integer(55, 70), integer(1, 9)],
    [integer(20, 22), integer(20, 22)],
  ].map(([usedTokens = 0, callCount = 0]) => {
    const budget = 100;
    return {
      usage: { input: usedTokens, output: callCount },
      budget,
      most: Math.ceil(budget / (usedTokens + callCount)),
    };
  });
}

const tokenScenario: Scenario = {
  name: "bounds-tokens",
  says: "a model is not asked again after the budget of tokens is used up",
  rules: [rule],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    for (const { usage, budget, most: maximum } of drawSpending(drawFrom(context))) {
      const model = actTimes(6, { usage });
      const free = mustBeSupported(await runtime.play({ document: reactDocument(), input }, { model }));
      if (countOf(free, "model") <= maximum)
        return context.skip(rule, `without a budget the model is asked ${countOf(free, "model")} times, and no more`);
      const document = reactDocument({}, limitAgent({}, { max_token_usage: budget }));
      const result = await runtime.play({ document, input }, { model });
      const modelCalls = countOf(result, "model");
      const runText = `max_token_usage ${budget}, ${usage.input} in and ${usage.output} out each time`;
      const why = `${runText}: the model is asked ${modelCalls} times instead of ${maximum} at most; the run ${endOf(result)}`;
      context.expect(rule, modelCalls <= maximum, why);
    }
  },
};

/** Lets these milliseconds pass for the runtime, by its clock or in real time; returns whether they did. */
type Passing = (context: ScenarioContext, advanceMs: number) => Promise<boolean>;

const byClock: Passing = async (context, advanceMs) =>
  (await reachIfThere(context, "clock", { advanceMs })) !== undefined;
const inRealTime: Passing = async (context, milliseconds) => {
  await context.wait(milliseconds / (context.setting.timeScale ?? 1));
  return true;
};

/** The milliseconds that the agents of a sequence take, more than a second in total: one agent alone, or two together. */
const [oneAlone, twoTogether] = [{ a: 1300 }, { a: 650, b: 650 }] as const;

/** Plays a sequence of agents that take this long, with another after them; undefined if that time does not pass. */
async function playSlowly(
  context: ScenarioContext,
  runtime: Runtime,
  { taken: durations, pass, seconds }: { taken: Readonly<Record<string, number>>; pass: Passing; seconds: number },
): Promise<FinishedRun | undefined> {
  const steps = [...Object.keys(durations), "after"].map((name) => step(name));
  const document = agentDocument("agf.sequential", { steps }, limitAgent({}, { max_duration_seconds: seconds }));
  let isPassed = true;
  const result = await runtime.play(
    { document, input },
    {
      async agent({ name }) {
        const milliseconds = durations[String(name)];
        if (milliseconds !== undefined) isPassed &&= await pass(context, milliseconds);
        return { output: { n: 1 } };
      },
    },
  );
  return isPassed ? mustBeSupported(result) : undefined;
}

const timeScenario: Scenario = {
  name: "bounds-time",
  says: "nothing is called after the time is over",
  rules: [rule],
  needs: [],
  withinMs: 600_000,
  waits: 4000,
  async play(context) {
    const runtime = runtimeOf(context);
    const calls = (playedRun: FinishedRun | undefined): string =>
      playedRun === undefined ? "" : namesOf(playedRun, "agent").join();
    for (const durations of [oneAlone, twoTogether]) {
      const isLate = (playedRun: FinishedRun | undefined): boolean => calls(playedRun).endsWith("after");
      // A movable clock may not affect this limit, so only real time can show a violation.
      let result = await playSlowly(context, runtime, { taken: durations, pass: byClock, seconds: 1 });
      if (result === undefined || isLate(result))
        result = await playSlowly(context, runtime, { taken: durations, pass: inRealTime, seconds: 1 });
      const calledNames = calls(result);
      if (calledNames === "") return context.skip(rule, "the runtime does not make its first call within a second");
      if (!isLate(result)) {
        const free = await playSlowly(context, runtime, { taken: durations, pass: byClock, seconds: 3600 });
        if (free !== undefined && !isLate(free))
          return context.skip(rule, `with an hour the last agent is not called either: the run ${endOf(free)}`);
      }
      const names = Object.keys(durations).join(" and ");
      const why = `max_duration_seconds 1: another agent is called after ${names} took longer than that`;
      context.expect(rule, !isLate(result), why);
    }
  },
};

const depthScenario: Scenario = {
  name: "bounds-depth",
  says: "a run that may not delegate calls no sub-agent",
  rules: [rule],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const document = (sections: JsonObject) => agentDocument("agf.sequential", { steps: [step("a")] }, sections);
    const free = mustBeSupported(await runtime.play({ document: document({}), input }));
    if (countOf(free, "agent") === 0) return context.skip(rule, `without a limit the run ${endOf(free)} as well`);
    const result = await runtime.play({ document: document(limitAgent({ max_delegation_depth: 0 })), input });
    // The specification does not define 0 for this limit.
    context.expect(rule, countOf(result, "agent") === 0, "max_delegation_depth 0: a sub-agent is called", "SHOULD");
  },
};

const exactScenario: Scenario = {
  name: "bounds-exact",
  says: "a run within its bounds completes, up to the last call of each",
  rules: ["AGF-POL-009"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const { integer } = drawFrom(context);
    const callCount = integer(2, 5);
    const each = integer(2, 4);
    const tokens = 15 * (callCount + 1) + integer(0, 9);
    for (const [runText, acts, limits, settings, { each: calls = 1, budget = {} } = {}] of [
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
      [`max_steps ${callCount + 1}, ${each} calls an answer`, callCount, {}, { max_steps: callCount + 1 }, { each }],
      [
        `max_llm_calls ${callCount + 1}, ${each} calls an answer`,
        callCount,
        { max_llm_calls: callCount + 1 },
        {},
        { each },
      ],
      [
        `max_tool_calls ${callCount * each}, ${each} calls an answer`,
        callCount,
        { max_tool_calls: callCount * each },
        {},
        { each },
      ],
      [`max_token_usage ${tokens}, 15 each time`, callCount, {}, {}, { budget: { max_token_usage: tokens } }],
    ] as ExactRow[]) {
      const usualLimits = { max_token_usage: 100_000, max_duration_seconds: 3600 };
      const document = reactDocument(settings, limitAgent(limits, { ...usualLimits, ...budget }));
      const model = actTimes(acts, { each: calls });
      const result = mustBeSupported(await runtime.play({ document, input }, { model }));
      const [modelCalls, toolCalls] = [countOf(result, "model"), countOf(result, "tool")];
      // No text says that each call of an answer is made.
      const isActed = toolCalls >= acts && toolCalls <= acts * calls;
      const isThrough = isActed && modelCalls === acts + 1 && outputOf(result) !== undefined;
      const callCount = `of ${acts + 1} model calls and ${acts * calls} tool calls, ${modelCalls} and ${toolCalls} are made`;
      context.expect("AGF-POL-009", isThrough, `${runText}: ${callCount}; the run ${endOf(result)}`);
    }
    await delegatesOften(context, runtime, integer(2, 5));
  },
};

/** Several agents called by one parent are no deeper than a single one. Depth 1 may be the parent itself. */
async function delegatesOften(context: ScenarioContext, runtime: Runtime, depth: number): Promise<void> {
  const names = Array.from({ length: depth + 2 }, (_, index) => `a${index}`);
  const config = { steps: names.map((name) => step(name)) };
  const document = agentDocument("agf.sequential", config, limitAgent({ max_delegation_depth: depth }));
  const free = await runtime.play({ document: agentDocument("agf.sequential", config), input });
  if (outputOf(free) === undefined)
    return context.skip("AGF-POL-009", `max_delegation_depth was not seen: without it the run ${endOf(free)} as well`);
  const result = await runtime.play({ document, input });
  const isThrough = countOf(result, "agent") === names.length && outputOf(result) !== undefined;
  const callCount = `of ${names.length} agents that one parent calls, ${countOf(result, "agent")} are called`;
  context.expect("AGF-POL-009", isThrough, `max_delegation_depth ${depth}: ${callCount}; the run ${endOf(result)}`);
}

/** A run within its bounds: the number of answers with a tool call, its limits and settings, the calls of each answer and its budget. */
type ExactRow = [
  runText: string,
  acts: number,
  limits: JsonObject,
  settings: JsonObject,
  sections?: { each?: number; budget?: JsonObject },
];

export const bounds: readonly Scenario[] = [
  ...countedScenarios,
  tokenScenario,
  timeScenario,
  depthScenario,
  exactScenario,
];
