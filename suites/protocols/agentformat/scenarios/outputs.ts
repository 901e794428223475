import { equal, type Json, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { agentDocument, step } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import {
  countOf,
  describeEnd,
  type FinishedRun,
  isError,
  isUnsupported,
  outputOf,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

const input = { q: "tea" };

/** Each agent returns its given output, or else an object with its alias and the number of its calls. */
function countingAgent(agentOutputs: Readonly<Record<string, Json>> = {}): { agent(about: JsonObject): JsonObject } {
  const callCounts: Record<string, number> = {};
  return {
    agent: ({ name }) => {
      const alias = String(name);
      callCounts[alias] = (callCounts[alias] ?? 0) + 1;
      return {
        output: Object.hasOwn(agentOutputs, alias) ? (agentOutputs[alias] as Json) : { [alias]: callCounts[alias] },
      };
    },
  };
}

/** A policy with some agents, and its expected output. */
interface OutputCase {
  id: string;
  config: JsonObject;
  expected: Json;
  /** The outputs of some agents, by alias. */
  agentOutputs?: Record<string, Json>;
  /** An output that another reading of the specification allows. */
  disputed?: Json;
}

async function playCases(context: ScenarioContext, rule: string, cases: readonly OutputCase[]): Promise<void> {
  const runtime = runtimeOf(context);
  for (const { id, config, expected, agentOutputs = {}, disputed } of cases) {
    const result = await runtime.play({ document: agentDocument(id, config), input }, countingAgent(agentOutputs));
    if (isUnsupported(result)) {
      context.skip(rule, `the output of ${id} was not tested: the runtime does not support it`);
      continue;
    }
    const output = outputOf(result);
    const policyText = `${id} with output_from ${JSON.stringify(config.output_from) ?? "absent"}`;
    const outputsText =
      Object.keys(agentOutputs).length === 0 ? "" : ` and the agents' outputs ${JSON.stringify(agentOutputs)}`;
    const why = `${policyText}${outputsText} should return ${JSON.stringify(expected)}, but the run ${describeEnd(result)}`;
    if (disputed !== undefined && output !== undefined && equal(output, disputed))
      context.note(rule, `${policyText} returns each output under its alias, which may count as a single object`);
    // An agent that returns null may be treated like one that fails.
    else if (expected === null && isError(result)) context.expect(rule, false, why, "SHOULD");
    else context.expect(rule, output !== undefined && equal(output, expected), why);
  }
}

function defaultCases(draw: Draw): OutputCase[] {
  const [a = "", b = "", c = ""] = draw.aliases(3);
  const steps = [step(a), step(b), step(c)];
  const max = draw.integer(2, 4);
  return [
    { id: "agf.sequential", config: { steps }, expected: { [c]: 1 } },
    { id: "agf.sequential", config: { steps: [step(a)] }, expected: { [a]: 1 } },
    {
      id: "agf.parallel",
      config: { agents: steps },
      expected: { [a]: 1, [b]: 1, [c]: 1 },
      disputed: { [a]: { [a]: 1 }, [b]: { [b]: 1 }, [c]: { [c]: 1 } },
    },
    { id: "agf.loop", config: { steps, max_iterations: max }, expected: { [c]: max } },
    ...[{}, null, ...draw.shuffled<Json>([0, false, "", []])].flatMap((output): OutputCase[] => [
      { id: "agf.sequential", config: { steps }, expected: output, agentOutputs: { [c]: output } },
      { id: "agf.loop", config: { steps, max_iterations: max }, expected: output, agentOutputs: { [c]: output } },
    ]),
  ];
}

/** Strings that are a strategy, and aliases that only look like one. */
function stringCases(draw: Draw): OutputCase[] {
  const similarNames = draw.shuffled(["Last", "MERGE", "first_", "_last", "lasts", "Merge", "all"]).slice(0, 3);
  const [a = "", b = "", c = ""] = similarNames;
  const steps = [step(a), step(b), step(c)];
  const max = draw.integer(2, 3);
  return [
    ...similarNames.map((alias) => ({
      id: "agf.sequential",
      config: { steps, output_from: alias },
      expected: { [alias]: 1 },
    })),
    { id: "agf.sequential", config: { steps, output_from: "last" }, expected: { [c]: 1 } },
    { id: "agf.parallel", config: { agents: steps, output_from: b }, expected: { [b]: 1 } },
    { id: "agf.loop", config: { steps, max_iterations: max, output_from: a }, expected: { [a]: max } },
  ];
}

const aliasScenario: Scenario = {
  name: "output-alias",
  says: "{agent: last} means the agent of that alias",
  rules: ["AGF-OUT-003"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-OUT-003";
    const runtime = runtimeOf(context);
    for (const name of ["last", "merge", "first"]) {
      const config = { steps: [step(name), step("z")], output_from: { agent: name } };
      const result = await runtime.play({ document: agentDocument("agf.sequential", config), input }, countingAgent());
      if (isError(result) && result.calls.length === 0)
        return context.skip(rule, `a runtime may refuse the alias "${name}"; the run ${describeEnd(result)}`);
      const isExpected = equal(outputOf(result) ?? null, { [name]: 1 });
      context.expect(
        rule,
        isExpected,
        `the run should return the output of the agent "${name}", but ${describeEnd(result)}`,
      );
      // The specification does not define the strategy `first` for these policies.
      if (name === "first") continue;
      const id = name === "last" ? "agf.sequential" : "agf.parallel";
      const configWithAliases = { [name === "last" ? "steps" : "agents"]: [step(name), step("z")], output_from: name };
      const resultWithAliases = await runtime.play(
        { document: agentDocument(id, configWithAliases), input },
        countingAgent(),
      );
      const isAgentOutput = equal(outputOf(resultWithAliases) ?? null, { [name]: 1 });
      context.expect(
        rule,
        !isAgentOutput,
        `"${name}" is a strategy, but the run returns the output of the agent "${name}"`,
      );
    }
  },
};

const policies = ["agf.sequential", "agf.parallel", "agf.loop"] as const;

/** Plays a policy with agents of these names, and with a transform that makes the output. */
function playTransform(
  runtime: Runtime,
  id: (typeof policies)[number],
  { names, name, output = null }: { names: readonly string[]; name: string; output?: Json },
): Promise<FinishedRun> {
  const steps = names.map((alias) => step(alias));
  const config = {
    ...(id === "agf.parallel" ? { agents: steps } : { steps }),
    ...(id === "agf.loop" ? { max_iterations: 1 } : {}),
    output_from: { custom_transform: name },
  };
  const order = { document: agentDocument(id, config), input, transforms: ["touchstone.turned"] };
  return runtime.play(order, { ...countingAgent(), transform: () => ({ output }) });
}

const transformScenario: Scenario = {
  name: "output-transform",
  says: "a known transform receives all outputs and makes the output; with an unknown one, the run is declined",
  rules: ["AGF-OUT-006"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-OUT-006";
    const runtime = runtimeOf(context);
    const draw = drawFrom(context);
    const supportedPolicies: (typeof policies)[number][] = [];
    for (const id of policies) {
      const names = draw.aliases(draw.integer(2, 4));
      const output = draw.pick<Json>([{ turned: true }, draw.word(), [draw.integer(1, 9)], false, 0]);
      const result = await playTransform(runtime, id, { names, name: "touchstone.turned", output });
      if (isUnsupported(result)) {
        context.skip(rule, `transforms of ${id} were not tested: the runtime does not support it`);
        continue;
      }
      supportedPolicies.push(id);
      const isExpected = countOf(result, "transform") > 0 && equal(outputOf(result) ?? null, output);
      context.expect(
        rule,
        isExpected,
        `${id}: the transform returns ${JSON.stringify(output)}, but the run ${describeEnd(result)}`,
      );
      const receivedOutputs = result.calls.find(({ kind }) => kind === "transform")?.about.outputs;
      const expectedOutputs = Object.fromEntries(names.map((name) => [name, { [name]: 1 }]));
      const isComplete = receivedOutputs !== undefined && equal(receivedOutputs, expectedOutputs);
      const outputsText = JSON.stringify(receivedOutputs) ?? "nothing";
      context.expect(
        rule,
        isComplete,
        `${id}: the transform receives ${outputsText} instead of ${JSON.stringify(expectedOutputs)}`,
      );
    }
    for (const id of supportedPolicies) {
      for (const name of ["touchstone.no_such_transform", "turned"]) {
        const resultOfUnknown = await playTransform(runtime, id, { names: ["a"], name });
        const policyText = `${id}: there is no transform ${name}`;
        context.expect(rule, isError(resultOfUnknown), `${policyText}, but the run ${describeEnd(resultOfUnknown)}`);
        // The specification requires the refusal, but does not say when.
        context.expect(
          rule,
          resultOfUnknown.calls.length === 0,
          `${policyText}, but calls are made before the error`,
          "SHOULD",
        );
      }
    }
  },
};

function outputScenario(
  name: string,
  rule: string,
  says: string,
  cases: (draw: Draw) => readonly OutputCase[],
): Scenario {
  return {
    name,
    says,
    rules: [rule],
    needs: [],
    withinMs: 600_000,
    play: (context) => playCases(context, rule, cases(drawFrom(context))),
  };
}

/** The output of a run: its strategy, its agent, or a transform. */
export const outputScenarios: readonly Scenario[] = [
  outputScenario(
    "output-text",
    "AGF-OUT-002",
    "a string is a strategy if it is exactly its name, otherwise an alias",
    stringCases,
  ),
  aliasScenario,
  outputScenario(
    "output-default",
    "AGF-OUT-005",
    "without output_from, a run returns the last output, or all outputs merged",
    defaultCases,
  ),
  transformScenario,
];
