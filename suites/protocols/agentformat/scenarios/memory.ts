import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { agentDocument, calling, reactDocument, step, subAgent } from "./documents.ts";
import {
  endOf,
  type Finished,
  isError,
  mustBeSupported,
  namesOf,
  outputOf,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

const input = { q: "tea" };

/** Memory contexts of the agents that were called, by alias. */
function contextsOf({ calls }: Finished): Record<string, Json | undefined> {
  return Object.fromEntries(
    calls.filter(({ kind }) => kind === "agent").map(({ about }) => [String(about.name), about.memory]),
  );
}

const show = (context: Json | undefined): string => (context === undefined ? "none" : JSON.stringify(context));

const required: Scenario = {
  name: "memory-required",
  says: "an agent that needs memory is not run without a MemoryScope, and returns to the same memory with one",
  rules: ["AGF-MEM-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-MEM-002";
    const runtime = runtimeOf(context);
    const document = reactDocument({}, { memory: { required: true } });
    const free = mustBeSupported(await runtime.play({ document: reactDocument(), input }));
    if (outputOf(free) === undefined)
      return context.skip(rule, `without any need of memory the run ${endOf(free)} as well`);
    const bare = await runtime.play({ document, input, memory_scope: null });
    context.expect(rule, bare.calls.length === 0, `there is no MemoryScope, and ${bare.calls.length} calls are made`);
    context.expect(rule, isError(bare), `there is no MemoryScope, and the run ${endOf(bare)}`);
    const memory_scope = context.fresh("scope");
    const seen: (Json | undefined)[] = [];
    for (const _ of [1, 2]) {
      const finished = mustBeSupported(await runtime.play({ document, input, memory_scope }));
      // A runtime that has no lasting memory is right to decline.
      if (isError(finished) && finished.calls.length === 0) return;
      seen.push(finished.calls.find(({ kind }) => kind === "model")?.about.memory);
    }
    const [first, second] = seen;
    const isSame = first !== undefined && first === second;
    context.expect(rule, isSame, `two runs with one scope have the memory contexts ${show(first)} and ${show(second)}`);
  },
};

const optional: Scenario = {
  name: "memory-optional",
  says: "an agent that needs no memory is run without a MemoryScope",
  rules: ["AGF-MEM-003"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    for (const more of [{}, { memory: { required: false } }, { memory: {} }] as JsonObject[]) {
      const finished = mustBeSupported(
        await runtime.play({ document: reactDocument({}, more), input, memory_scope: null }),
      );
      context.expect(
        "AGF-MEM-003",
        outputOf(finished) !== undefined,
        `memory is not required, and the run ${endOf(finished)}`,
      );
    }
  },
};

const shared: Scenario = {
  name: "memory-strategies",
  says: "sub-agents share the memory of their parent, have their own, or none",
  rules: ["AGF-MEM-004"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-MEM-004";
    const runtime = runtimeOf(context);
    const strategies = { heir: "inherit", usual: undefined, own: "isolated", other: "isolated", bare: "none" };
    const agents = Object.entries(strategies).map(([alias, strategy]) =>
      subAgent(alias, strategy === undefined ? {} : { memory_scope_strategy: strategy }),
    );
    const document = agentDocument(
      "agf.sequential",
      { steps: Object.keys(strategies).map((alias) => step(alias)) },
      {
        memory: { required: true },
        action_space: { local_agents: agents },
      },
    );
    const order = { document, input, memory_scope: context.fresh("scope") };
    const first = mustBeSupported(await runtime.play(order));
    if (isError(first) && first.calls.length === 0)
      return context.skip(rule, `the runtime declines an agent that needs memory: the run ${endOf(first)}`);
    const { heir, usual, own, other, bare } = contextsOf(first);
    const left = Object.keys(strategies).filter((alias) => !namesOf(first, "agent").includes(alias));
    if (left.length > 0)
      return context.expect(rule, false, `${left.join(" and ")} are not called; the run ${endOf(first)}`);
    const again = contextsOf(await runtime.play(order));
    context.expect(rule, heir !== undefined, "an agent under inherit has no memory context");
    context.expect(rule, heir === usual, `two agents under inherit have the contexts ${show(heir)} and ${show(usual)}`);
    context.expect(
      rule,
      heir === again.heir,
      `under inherit the context is ${show(heir)}, and ${show(again.heir)} in the next run`,
    );
    context.expect(
      rule,
      own !== undefined && own !== heir,
      `under isolated the context is ${show(own)}, beside ${show(heir)} of the parent`,
    );
    context.expect(rule, own !== other, `two agents under isolated have the same context ${show(own)}`);
    context.expect(
      rule,
      own === again.own,
      `under isolated the context is ${show(own)}, and ${show(again.own)} in the next run`,
    );
    context.expect(rule, bare === undefined || bare === null, `under none the context is ${show(bare)}`);
    const elsewhere = contextsOf(await runtime.play({ ...order, memory_scope: context.fresh("other-scope") }));
    const isApart = elsewhere.own === undefined || elsewhere.own !== own;
    context.expect(rule, isApart, `under isolated two MemoryScopes share the context ${show(own)}`, "SHOULD");
    await besideParent(context, rule, runtime);
  },
};

/** The context of an agent under inherit, beside the context in which its parent asks a model: only a parent that does so shows its own. */
async function besideParent(context: ScenarioContext, rule: string, runtime: Runtime): Promise<void> {
  const entries = [
    subAgent("heir", { memory_scope_strategy: "inherit" }),
    subAgent("own", { memory_scope_strategy: "isolated" }),
  ];
  const document = reactDocument({}, { memory: { required: true }, action_space: { local_agents: entries } });
  const model = (_: JsonObject, count: number): JsonObject =>
    count <= entries.length ? calling(String(entries[count - 1]?.alias), input) : { content: "done" };
  const finished = await runtime.play({ document, input, memory_scope: context.fresh("scope") }, { model });
  const parent = finished.calls.find(({ kind }) => kind === "model")?.about.memory;
  const { heir, own } = contextsOf(finished);
  const called = namesOf(finished, "agent");
  // A runtime need not let a model call agents, or inform it about the memory.
  if (parent === undefined || !called.includes("heir"))
    return context.skip(
      rule,
      "the memory of a parent beside that of an agent under inherit is not shown: no model of the parent is asked, or it may call no agent",
    );
  context.expect(
    rule,
    heir === parent,
    `under inherit the context is ${show(heir)}, beside ${show(parent)} of the parent`,
  );
  if (called.includes("own"))
    context.expect(rule, own !== parent, `under isolated the context is that of the parent, ${show(parent)}`);
}

export const memory: readonly Scenario[] = [required, optional, shared];
