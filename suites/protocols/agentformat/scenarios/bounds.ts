import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { reachIfThere } from "../../../scenarios/way/reach.ts";
import { agentDocument, reactDocument, step } from "./documents.ts";
import { acting } from "./react.ts";
import { countOf, endOf, namesOf, outputOf, runtimeOf, supported } from "./runtime.ts";

const rule = "AGF-CONS-002";
const input = { q: "tea" };
const limited = (limits: JsonObject, budget: JsonObject = {}): JsonObject => ({ constraints: { limits, budget } });

/** Lets more than so many milliseconds pass for the runtime: its clock where that can be moved, otherwise real ones. */
async function outlast(context: ScenarioContext, milliseconds: number): Promise<void> {
  const passed = milliseconds * 1.3;
  const isMoved = (await reachIfThere(context, "clock", { advanceMs: passed })) !== undefined;
  if (!isMoved) await context.wait(passed / (context.setting.timeScale ?? 1));
}

const counted = (["max_tool_calls", "max_llm_calls"] as const).map((limit): Scenario => {
  const kind = limit === "max_tool_calls" ? "tool" : "model";
  return {
    name: `bounds-${kind}-calls`,
    says: `a run makes no more ${kind} calls than ${limit}`,
    rules: [rule],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const runtime = runtimeOf(context);
      for (const most of [1, 3]) {
        const finished = supported(
          await runtime.play({ document: reactDocument({}, limited({ [limit]: most })), input }, { model: acting(6) }),
        );
        const count = countOf(finished, kind);
        context.expect(rule, count <= most, `${limit} ${most}: ${count} are made; the run ${endOf(finished)}`);
      }
    },
  };
});

const tokens: Scenario = {
  name: "bounds-tokens",
  says: "a model is not asked again once the budget of tokens is spent",
  rules: [rule],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const runtime = runtimeOf(context);
    for (const [usage, what] of [
      [{ input: 90, output: 40 }, "90 in and 40 out at once"],
      [{ input: 5, output: 60 }, "5 in and 60 out twice"],
    ] as const) {
      const document = reactDocument({}, limited({}, { max_token_usage: 100 }));
      const finished = supported(await runtime.play({ document, input }, { model: acting(6, "look", usage) }));
      const asked = countOf(finished, "model");
      const most = Math.ceil(100 / (usage.input + usage.output));
      context.expect(
        rule,
        asked <= most,
        `max_token_usage 100, ${what}: the model is asked ${asked} times; the run ${endOf(finished)}`,
      );
    }
  },
};

const time: Scenario = {
  name: "bounds-time",
  says: "nothing is called once the time is over",
  rules: [rule],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const document = agentDocument(
      "agf.sequential",
      { steps: [step("a"), step("b", { n: "a.output.n" })] },
      limited({}, { max_duration_seconds: 1 }),
    );
    const finished = supported(
      await runtime.play(
        { document, input },
        {
          async agent({ name }) {
            if (name === "a") await outlast(context, 1000);
            return { output: { n: 1 } };
          },
        },
      ),
    );
    const isOver = !namesOf(finished, "agent").includes("b");
    context.expect(rule, isOver, "max_duration_seconds 1: b is called after a took longer than that");
  },
};

const depth: Scenario = {
  name: "bounds-depth",
  says: "a run that may not delegate calls no sub-agent",
  rules: [rule],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const document = agentDocument("agf.sequential", { steps: [step("a")] }, limited({ max_delegation_depth: 0 }));
    const finished = supported(await runtimeOf(context).play({ document, input }));
    // What 0 means is not said for this limit.
    context.expect(rule, countOf(finished, "agent") === 0, "max_delegation_depth 0: a sub-agent is called", "SHOULD");
  },
};

const exact: Scenario = {
  name: "bounds-exact",
  says: "a run that stays within its bounds, up to the last call of each, is let through",
  rules: ["AGF-POL-009"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const budget = { max_token_usage: 100_000, max_duration_seconds: 3600 };
    for (const [what, limits, settings] of [
      ["max_tool_calls 2", { max_tool_calls: 2 }, {}],
      ["max_llm_calls 3", { max_llm_calls: 3 }, {}],
      [
        "both, with a provider and a temperature that may be overridden",
        { max_tool_calls: 2, max_llm_calls: 3 },
        { provider: "nobody", temperature: 0 },
      ],
    ] as const) {
      const document = reactDocument(settings, limited(limits, budget));
      const finished = supported(await runtime.play({ document, input }, { model: acting(2) }));
      const isThrough =
        countOf(finished, "tool") === 2 && countOf(finished, "model") === 3 && outputOf(finished) !== undefined;
      context.expect(
        "AGF-POL-009",
        isThrough,
        `${what}: of 3 model calls and 2 tool calls, ${countOf(finished, "model")} and ${countOf(finished, "tool")} are made; the run ${endOf(finished)}`,
      );
    }
  },
};

export const bounds: readonly Scenario[] = [...counted, tokens, time, depth, exact];
