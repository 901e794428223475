import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { agentDocument, callOf, reactDocument, step, subAgent } from "./documents.ts";
import {
  describeEnd,
  type FinishedRun,
  isError,
  namesOf,
  outputOf,
  type Runtime,
  requireSupport,
  runtimeOf,
} from "./runtime.ts";

const input = { q: "tea" };

/** The memory contexts of the called agents, by alias. */
type AgentContexts = Readonly<Record<string, Json | undefined>>;

function contextsOf({ calls }: FinishedRun): AgentContexts {
  return Object.fromEntries(
    calls.filter(({ kind }) => kind === "agent").map(({ about }) => [String(about.name), about.memory]),
  );
}

const formatContext = (context: Json | undefined): string => (context === undefined ? "none" : JSON.stringify(context));

const requiredScenario: Scenario = {
  name: "memory-required",
  says: "an agent that requires memory is not run without a MemoryScope, and keeps its memory in the next run with the same one",
  rules: ["AGF-MEM-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-MEM-002";
    const runtime = runtimeOf(context);
    const document = reactDocument({}, { memory: { required: true } });
    const control = requireSupport(await runtime.play({ document: reactDocument(), input }));
    if (outputOf(control) === undefined)
      return context.skip(rule, `the run ${describeEnd(control)} even if it does not require memory`);
    const runWithoutScope = await runtime.play({ document, input, memory_scope: null });
    context.expect(
      rule,
      runWithoutScope.calls.length === 0,
      `there is no MemoryScope, but ${runWithoutScope.calls.length} calls are made`,
    );
    context.expect(
      rule,
      isError(runWithoutScope),
      `there is no MemoryScope, but the run ${describeEnd(runWithoutScope)}`,
    );
    const memory_scope = context.fresh("scope");
    const contexts: (Json | undefined)[] = [];
    for (const _ of [1, 2]) {
      const result = requireSupport(await runtime.play({ document, input, memory_scope }));
      // A runtime without lasting memory may decline the run.
      if (isError(result) && result.calls.length === 0) return;
      contexts.push(result.calls.find(({ kind }) => kind === "model")?.about.memory);
    }
    const [first, second] = contexts;
    const isSame = first !== undefined && first === second;
    context.expect(
      rule,
      isSame,
      `two runs with one scope have the memory contexts ${formatContext(first)} and ${formatContext(second)}`,
    );
    const laterRun = await runtime.play({ document, input, memory_scope: null });
    const situation = "there is no MemoryScope after a run that had one";
    context.expect(
      rule,
      laterRun.calls.length === 0 && isError(laterRun),
      `${situation}, but the run ${describeEnd(laterRun)}`,
    );
    await checkScopesDiffer(context, rule, runtime, document);
  },
};

/** Checks that runs in different scopes share no memory. The specification does not say so explicitly. */
async function checkScopesDiffer(
  context: ScenarioContext,
  rule: string,
  runtime: Runtime,
  document: JsonObject,
): Promise<void> {
  const secret = context.fresh("secret").replaceAll("-", "");
  const firstRequestIn = async (query: string): Promise<JsonObject> => {
    const order = { document, input: { q: query }, memory_scope: context.fresh("scope") };
    return (await runtime.play(order)).calls.find(({ kind }) => kind === "model")?.about ?? {};
  };
  const [first, second] = [await firstRequestIn(secret), await firstRequestIn("tea")];
  const isDifferent = first.memory === undefined || first.memory !== second.memory;
  context.expect(
    rule,
    isDifferent,
    `two MemoryScopes have the memory context ${formatContext(first.memory)}`,
    "SHOULD",
  );
  const isLeaked = JSON.stringify(second).includes(secret);
  context.expect(rule, !isLeaked, "a model receives the input of a run with another MemoryScope", "SHOULD");
}

const optionalScenario: Scenario = {
  name: "memory-optional",
  says: "an agent that does not require memory is run without a MemoryScope",
  rules: ["AGF-MEM-003"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    for (const sections of [{}, { memory: { required: false } }, { memory: {} }] as JsonObject[]) {
      const result = requireSupport(
        await runtime.play({ document: reactDocument({}, sections), input, memory_scope: null }),
      );
      context.expect(
        "AGF-MEM-003",
        outputOf(result) !== undefined,
        `memory is not required, but the run ${describeEnd(result)}`,
      );
    }
  },
};

/** A sequence of agents, each with this memory strategy. */
function documentWithStrategies(strategies: Readonly<Record<string, string | undefined>>): JsonObject {
  const agents = Object.entries(strategies).map(([alias, strategy]) =>
    subAgent(alias, strategy === undefined ? {} : { memory_scope_strategy: strategy }),
  );
  const steps = Object.keys(strategies).map((alias) => step(alias));
  return agentDocument(
    "agf.sequential",
    { steps },
    { memory: { required: true }, action_space: { local_agents: agents } },
  );
}

const strategiesScenario: Scenario = {
  name: "memory-strategies",
  says: "sub-agents share the memory of their parent, have their own, or none",
  rules: ["AGF-MEM-004"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-MEM-004";
    const runtime = runtimeOf(context);
    // `later` shows whether the memories of isolated agents affect an agent under inherit.
    const strategies = {
      heir: "inherit",
      own: "isolated",
      usual: undefined,
      other: "isolated",
      bare: "none",
      later: "inherit",
    };
    const document = documentWithStrategies(strategies);
    const order = { document, input, memory_scope: context.fresh("scope") };
    const first = requireSupport(await runtime.play(order));
    if (isError(first) && first.calls.length === 0)
      return context.skip(rule, `the runtime declines an agent that requires memory: the run ${describeEnd(first)}`);
    const contexts = contextsOf(first);
    const uncalledAgents = Object.keys(strategies).filter((alias) => !namesOf(first, "agent").includes(alias));
    if (uncalledAgents.length > 0)
      return context.expect(
        rule,
        false,
        `${uncalledAgents.join(" and ")} are not called; the run ${describeEnd(first)}`,
      );
    checkStrategies(context, contexts, contextsOf(await runtime.play(order)));
    const contextsInOtherScope = contextsOf(
      await runtime.play({ ...order, memory_scope: context.fresh("other-scope") }),
    );
    checkStrategiesDiffer(context, {
      isolated: [contexts.own, contextsInOtherScope.own],
      inherit: [contexts.heir, contextsInOtherScope.heir],
    });
    await compareWithParent(context, rule, runtime);
  },
};

/** Checks the contexts of a run against those of the next run in the same MemoryScope. */
function checkStrategies(context: ScenarioContext, contexts: AgentContexts, nextContexts: AgentContexts): void {
  const { heir, usual, own, other, bare, later } = contexts;
  const expect = (isFulfilled: boolean, problem: string): void => context.expect("AGF-MEM-004", isFulfilled, problem);
  expect(heir !== undefined, "an agent under inherit has no memory context");
  for (const inherited of [usual, later])
    expect(
      heir === inherited,
      `two agents under inherit have the contexts ${formatContext(heir)} and ${formatContext(inherited)}`,
    );
  expect(
    heir === nextContexts.heir,
    `under inherit the context is ${formatContext(heir)}, and ${formatContext(nextContexts.heir)} in the next run`,
  );
  expect(
    own !== undefined && own !== heir,
    `under isolated the context is ${formatContext(own)}, while the parent has ${formatContext(heir)}`,
  );
  expect(own !== other, `two agents under isolated have the same context ${formatContext(own)}`);
  expect(
    own === nextContexts.own,
    `under isolated the context is ${formatContext(own)}, and ${formatContext(nextContexts.own)} in the next run`,
  );
  expect(bare === undefined || bare === null, `under none the context is ${formatContext(bare)}`);
}

/** Checks that an agent has different contexts in two MemoryScopes, for each strategy. */
function checkStrategiesDiffer(
  context: ScenarioContext,
  pairs: Record<string, [Json | undefined, Json | undefined]>,
): void {
  for (const [strategy, [firstContext, secondContext]] of Object.entries(pairs)) {
    const areDifferent = secondContext === undefined || secondContext !== firstContext;
    context.expect(
      "AGF-MEM-004",
      areDifferent,
      `under ${strategy} two MemoryScopes share the context ${formatContext(firstContext)}`,
      "SHOULD",
    );
  }
}

/** Compares the memory context of an agent under inherit with its parent's context, which is visible only in a request to a model. */
async function compareWithParent(context: ScenarioContext, rule: string, runtime: Runtime): Promise<void> {
  const entries = [
    subAgent("heir", { memory_scope_strategy: "inherit" }),
    subAgent("own", { memory_scope_strategy: "isolated" }),
  ];
  const document = reactDocument({}, { memory: { required: true }, action_space: { local_agents: entries } });
  const model = (_: JsonObject, count: number): JsonObject =>
    count <= entries.length ? callOf(String(entries[count - 1]?.alias), input) : { content: "done" };
  const result = await runtime.play({ document, input, memory_scope: context.fresh("scope") }, { model });
  const parent = result.calls.find(({ kind }) => kind === "model")?.about.memory;
  const { heir, own: ownContext } = contextsOf(result);
  const calledNames = namesOf(result, "agent");
  // A runtime need not let a model call agents, or pass the memory context to it.
  if (parent === undefined || !calledNames.includes("heir"))
    return context.skip(
      rule,
      "the run does not show the memory contexts of a parent and an agent under inherit: the parent asks no model, or its model cannot call agents",
    );
  context.expect(
    rule,
    heir === parent,
    `under inherit the context is ${formatContext(heir)}, while the parent has ${formatContext(parent)}`,
  );
  if (calledNames.includes("own"))
    context.expect(
      rule,
      ownContext !== parent,
      `under isolated the context is that of the parent, ${formatContext(parent)}`,
    );
}

export const memoryScenarios: readonly Scenario[] = [requiredScenario, optionalScenario, strategiesScenario];
