import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { reachIfThere } from "../../../running/scenarios/way/reach.ts";
import { agentDocument, reactDocument, step } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { actTimes } from "./react.ts";
import {
  countOf,
  endOf,
  type Finished,
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
        for (const most of [1, integer(2, 3), integer(4, 5)]) {
          const what = `${limit} ${most}, ${says}`;
          if (countOf(free, kind) <= most) {
            context.skip(rule, `${what}: without a limit there are no more than ${countOf(free, kind)} either`);
            continue;
          }
          const document = reactDocument({}, limitAgent({ [limit]: most }));
          const finished = await runtime.play({ document, input }, { model });
          const count = countOf(finished, kind);
          context.expect(rule, count <= most, `${what}: ${count} are made; the run ${endOf(finished)}`);
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
  ].map(([used = 0, made = 0]) => {
    const budget = 100;
    return { usage: { input: used, output: made }, budget, most: Math.ceil(budget / (used + made)) };
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
    for (const { usage, budget, most } of drawSpending(drawFrom(context))) {
      const model = actTimes(6, { usage });
      const free = mustBeSupported(await runtime.play({ document: reactDocument(), input }, { model }));
      if (countOf(free, "model") <= most)
        return context.skip(rule, `without a budget the model is asked ${countOf(free, "model")} times, and no more`);
      const document = reactDocument({}, limitAgent({}, { max_token_usage: budget }));
      const finished = await runtime.play({ document, input }, { model });
      const asked = countOf(finished, "model");
      const what = `max_token_usage ${budget}, ${usage.input} in and ${usage.output} out each time`;
      const why = `${what}: the model is asked ${asked} times instead of ${most} at most; the run ${endOf(finished)}`;
      context.expect(rule, asked <= most, why);
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
const [alone, together] = [{ a: 1300 }, { a: 650, b: 650 }] as const;

/** Plays a sequence of agents that take this long, with another after them; undefined if that time does not pass. */
async function playSlowly(
  context: ScenarioContext,
  runtime: Runtime,
  { taken, pass, seconds }: { taken: Readonly<Record<string, number>>; pass: Passing; seconds: number },
): Promise<Finished | undefined> {
  const steps = [...Object.keys(taken), "after"].map((name) => step(name));
  const document = agentDocument("agf.sequential", { steps }, limitAgent({}, { max_duration_seconds: seconds }));
  let isPassed = true;
  const finished = await runtime.play(
    { document, input },
    {
      async agent({ name }) {
        const milliseconds = taken[String(name)];
        if (milliseconds !== undefined) isPassed &&= await pass(context, milliseconds);
        return { output: { n: 1 } };
      },
    },
  );
  return isPassed ? mustBeSupported(finished) : undefined;
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
    const calls = (run: Finished | undefined): string => (run === undefined ? "" : namesOf(run, "agent").join());
    for (const taken of [alone, together]) {
      const isLate = (run: Finished | undefined): boolean => calls(run).endsWith("after");
      // A movable clock may not affect this limit, so only real time can show a violation.
      let finished = await playSlowly(context, runtime, { taken, pass: byClock, seconds: 1 });
      if (finished === undefined || isLate(finished))
        finished = await playSlowly(context, runtime, { taken, pass: inRealTime, seconds: 1 });
      const called = calls(finished);
      if (called === "") return context.skip(rule, "the runtime does not make its first call within a second");
      if (!isLate(finished)) {
        const free = await playSlowly(context, runtime, { taken, pass: byClock, seconds: 3600 });
        if (free !== undefined && !isLate(free))
          return context.skip(rule, `with an hour the last agent is not called either: the run ${endOf(free)}`);
      }
      const names = Object.keys(taken).join(" and ");
      const why = `max_duration_seconds 1: another agent is called after ${names} took longer than that`;
      context.expect(rule, !isLate(finished), why);
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
    const document = (more: JsonObject) => agentDocument("agf.sequential", { steps: [step("a")] }, more);
    const free = mustBeSupported(await runtime.play({ document: document({}), input }));
    if (countOf(free, "agent") === 0) return context.skip(rule, `without a limit the run ${endOf(free)} as well`);
    const finished = await runtime.play({ document: document(limitAgent({ max_delegation_depth: 0 })), input });
    // The specification does not define 0 for this limit.
    context.expect(rule, countOf(finished, "agent") === 0, "max_delegation_depth 0: a sub-agent is called", "SHOULD");
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
    const some = integer(2, 5);
    const each = integer(2, 4);
    const tokens = 15 * (some + 1) + integer(0, 9);
    for (const [what, acts, limits, settings, { each: calls = 1, budget = {} } = {}] of [
      [`max_tool_calls ${some}`, some, { max_tool_calls: some }, {}],
      [`max_llm_calls ${some + 1}`, some, { max_llm_calls: some + 1 }, {}],
      [
        "both, with a provider and a temperature that may be overridden",
        2,
        { max_tool_calls: 2, max_llm_calls: 3, max_delegation_depth: 1 },
        { provider: "nobody", temperature: 0 },
      ],
      [`max_steps ${some + 1}`, some, {}, { max_steps: some + 1 }],
      ["max_steps absent, which means 10", 9, {}, {}],
      ["max_steps 12", 11, {}, { max_steps: 12 }],
      [`max_steps ${some + 1}, ${each} calls an answer`, some, {}, { max_steps: some + 1 }, { each }],
      [`max_llm_calls ${some + 1}, ${each} calls an answer`, some, { max_llm_calls: some + 1 }, {}, { each }],
      [`max_tool_calls ${some * each}, ${each} calls an answer`, some, { max_tool_calls: some * each }, {}, { each }],
      [`max_token_usage ${tokens}, 15 each time`, some, {}, {}, { budget: { max_token_usage: tokens } }],
    ] as ExactRow[]) {
      const usual = { max_token_usage: 100_000, max_duration_seconds: 3600 };
      const document = reactDocument(settings, limitAgent(limits, { ...usual, ...budget }));
      const model = actTimes(acts, { each: calls });
      const finished = mustBeSupported(await runtime.play({ document, input }, { model }));
      const [asked, acted] = [countOf(finished, "model"), countOf(finished, "tool")];
      // No text says that each call of an answer is made.
      const isActed = acted >= acts && acted <= acts * calls;
      const isThrough = isActed && asked === acts + 1 && outputOf(finished) !== undefined;
      const made = `of ${acts + 1} model calls and ${acts * calls} tool calls, ${asked} and ${acted} are made`;
      context.expect("AGF-POL-009", isThrough, `${what}: ${made}; the run ${endOf(finished)}`);
    }
    await delegatesOften(context, runtime, integer(2, 5));
  },
};

/** Many agents that are called by one parent are no deeper than a single one. Depth 1 may be the parent's own. */
async function delegatesOften(context: ScenarioContext, runtime: Runtime, depth: number): Promise<void> {
  const names = Array.from({ length: depth + 2 }, (_, index) => `a${index}`);
  const config = { steps: names.map((name) => step(name)) };
  const document = agentDocument("agf.sequential", config, limitAgent({ max_delegation_depth: depth }));
  const free = await runtime.play({ document: agentDocument("agf.sequential", config), input });
  if (outputOf(free) === undefined)
    return context.skip("AGF-POL-009", `max_delegation_depth was not seen: without it the run ${endOf(free)} as well`);
  const finished = await runtime.play({ document, input });
  const isThrough = countOf(finished, "agent") === names.length && outputOf(finished) !== undefined;
  const made = `of ${names.length} agents that one parent calls, ${countOf(finished, "agent")} are called`;
  context.expect("AGF-POL-009", isThrough, `max_delegation_depth ${depth}: ${made}; the run ${endOf(finished)}`);
}

/** A run within its bounds: the number of answers with a tool call, its limits and settings, the calls of each answer and its budget. */
type ExactRow = [
  what: string,
  acts: number,
  limits: JsonObject,
  settings: JsonObject,
  more?: { each?: number; budget?: JsonObject },
];

export const bounds: readonly Scenario[] = [
  ...countedScenarios,
  tokenScenario,
  timeScenario,
  depthScenario,
  exactScenario,
];
