import { equal, type Json, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { agentDocument, step } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import {
  countOf,
  endOf,
  type FinishedRun,
  isError,
  isUnsupported,
  outputOf,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

const input = { q: "tea" };

/** Each agent returns an object with its own alias and the number of its calls, unless its output is given. */
function countingAgent(givenOutputs: Readonly<Record<string, Json>> = {}): { agent(about: JsonObject): JsonObject } {
  const callCounts: Record<string, number> = {};
  return {
    agent: ({ name }) => {
      const alias = String(name);
      callCounts[alias] = (callCounts[alias] ?? 0) + 1;
      return {
        output: Object.hasOwn(givenOutputs, alias) ? (givenOutputs[alias] as Json) : { [alias]: callCounts[alias] },
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
  given?: Record<string, Json>;
  /** An output that another reading of the texts allows. */
  disputed?: Json;
}

async function playCases(context: ScenarioContext, rule: string, cases: readonly OutputCase[]): Promise<void> {
  const runtime = runtimeOf(context);
  for (const { id, config, expected, given: givenOutputs = {}, disputed } of cases) {
    const result = await runtime.play({ document: agentDocument(id, config), input }, countingAgent(givenOutputs));
    if (isUnsupported(result)) {
      context.skip(rule, `the output of ${id} was not seen: the runtime does not support it`);
      continue;
    }
    const output = outputOf(result);
    const policyText = `${id} with output_from ${JSON.stringify(config.output_from) ?? "absent"}`;
    const of = Object.keys(givenOutputs).length === 0 ? "" : ` of ${JSON.stringify(givenOutputs)}`;
    const why = `${policyText}${of} wants ${JSON.stringify(expected)}, and the run ${endOf(result)}`;
    if (disputed !== undefined && output !== undefined && equal(output, disputed))
      context.note(rule, `${policyText} gives each output under its alias, which may be one object as well`);
    // An agent that returns null may be treated like one that fails.
    else if (expected === null && isError(result)) context.expect(rule, false, why, "SHOULD");
    else context.expect(rule, output !== undefined && equal(output, expected), why);
  }
}

function defaults(draw: Draw): OutputCase[] {
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
      { id: "agf.sequential", config: { steps }, expected: output, given: { [c]: output } },
      { id: "agf.loop", config: { steps, max_iterations: max }, expected: output, given: { [c]: output } },
    ]),
  ];
}

/** Texts that are a strategy, and aliases that only look like one. */
function texts(draw: Draw): OutputCase[] {
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
        return context.skip(rule, `a runtime may refuse the alias "${name}"; the run ${endOf(result)}`);
      const isIt = equal(outputOf(result) ?? null, { [name]: 1 });
      context.expect(rule, isIt, `the output of the agent "${name}" is wanted, and the run ${endOf(result)}`);
      // The text `first` has no defined meaning in any of these policies.
      if (name === "first") continue;
      const id = name === "last" ? "agf.sequential" : "agf.parallel";
      const configWithAliases = { [name === "last" ? "steps" : "agents"]: [step(name), step("z")], output_from: name };
      const resultWithAliases = await runtime.play(
        { document: agentDocument(id, configWithAliases), input },
        countingAgent(),
      );
      const isAgents = equal(outputOf(resultWithAliases) ?? null, { [name]: 1 });
      context.expect(
        rule,
        !isAgents,
        `the text "${name}" is a strategy, and the output is that of the agent "${name}"`,
      );
    }
  },
};

const policies = ["agf.sequential", "agf.parallel", "agf.loop"] as const;

/** A run with an output from a known or unknown transform. */
function transformOutput(
  runtime: Runtime,
  id: (typeof policies)[number],
  { names, name, output = null }: { names: readonly string[]; name: string; output?: Json },
): Promise<FinishedRun> {
  const steps = names.map((each) => step(each));
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
  says: "a known transform makes the output from all outputs, and an unknown one declines the run",
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
      const output = draw.one<Json>([{ turned: true }, draw.word(), [draw.integer(1, 9)], false, 0]);
      const result = await transformOutput(runtime, id, { names, name: "touchstone.turned", output });
      if (isUnsupported(result)) {
        context.skip(rule, `transforms of ${id} were not seen: the runtime does not support it`);
        continue;
      }
      supportedPolicies.push(id);
      const isIt = countOf(result, "transform") > 0 && equal(outputOf(result) ?? null, output);
      context.expect(rule, isIt, `${id}: the transform gives ${JSON.stringify(output)}, and the run ${endOf(result)}`);
      const givenOutputs = result.calls.find(({ kind }) => kind === "transform")?.about.outputs;
      const all = Object.fromEntries(names.map((name) => [name, { [name]: 1 }]));
      const isGiven = givenOutputs !== undefined && equal(givenOutputs, all);
      const outputsText = JSON.stringify(givenOutputs) ?? "nothing";
      context.expect(rule, isGiven, `${id}: the transform is given ${outputsText} instead of ${JSON.stringify(all)}`);
    }
    for (const id of supportedPolicies) {
      for (const name of ["touchstone.no_such_transform", "turned"]) {
        const unknownTransform = await transformOutput(runtime, id, { names: ["a"], name });
        const policyText = `${id}: there is no transform ${name}`;
        context.expect(rule, isError(unknownTransform), `${policyText}, and the run ${endOf(unknownTransform)}`);
        // The specification requires the refusal, but not its time.
        context.expect(
          rule,
          unknownTransform.calls.length === 0,
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

/** The parts of the output of a run. */
export const outputs: readonly Scenario[] = [
  outputScenario("output-text", "AGF-OUT-002", "a text is a strategy by its exact word, and an alias otherwise", texts),
  aliasScenario,
  outputScenario(
    "output-default",
    "AGF-OUT-005",
    "without output_from, the output is the last one, or all of them merged",
    defaults,
  ),
  transformScenario,
];
