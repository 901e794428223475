import { equal, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { agentDocument, callOf, conditionOn, reactDocument, step, subAgent } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import {
  endOf,
  type FinishedRun,
  isError,
  isUnsupported,
  mustBeSupported,
  outputOf,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

/** A schema, a value that it accepts, and others that it refuses. */
interface FaceShape {
  schema: JsonObject;
  fitting: Json;
  unfitting: readonly Json[];
}

function shapes({ integer, word }: Draw): FaceShape[] {
  const [name, otherField, minimum] = [`f_${word()}`, `g_${word()}`, integer(-9, 9)];
  const of = (type: string): JsonObject => ({ type: "object", properties: { [name]: { type } }, required: [name] });
  return [
    {
      schema: of("string"),
      fitting: { [name]: "tea" },
      unfitting: [{}, { [name]: 5 }, "tea", { [otherField]: "tea" }],
    },
    {
      schema: {
        type: "object",
        properties: { [name]: { type: "integer", minimum: minimum } },
        required: [name, otherField],
      },
      fitting: { [name]: minimum, [otherField]: null },
      unfitting: [
        { [name]: minimum - 1, [otherField]: 1 },
        { [name]: minimum },
        { [name]: minimum + 0.5, [otherField]: 1 },
      ],
    },
    {
      schema: { type: "object", properties: { [name]: { type: "array", items: of("boolean"), minItems: 1 } } },
      fitting: { [name]: [{ [name]: false }] },
      unfitting: [{ [name]: [] }, { [name]: [{ [name]: false }, { [name]: 0 }] }],
    },
    {
      schema: { type: "object", properties: { [name]: { enum: ["a", "b"] } }, additionalProperties: false },
      fitting: { [name]: "b" },
      unfitting: [{ [name]: "c" }, { [name]: "a", [otherField]: 1 }],
    },
  ];
}

const askedText = ({ calls }: FinishedRun): string =>
  calls.map(({ about, kind }) => String(about.name ?? kind)).join(", ");

const checkScenario: Scenario = {
  name: "interface-checked",
  says: "input is checked before the run, and output after it",
  rules: ["AGF-IFACE-004"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-IFACE-004";
    const runtime = runtimeOf(context);
    const draw = drawFrom(context);
    // An empty mapping: the specification does not define the input of a step without one.
    const documentOf = (face: JsonObject): JsonObject =>
      agentDocument("agf.sequential", { steps: [{ agent: "a", input_mapping: {} }] }, { interface: face });
    for (const { schema, fitting: right, unfitting } of shapes(draw)) {
      const document = documentOf({ input: schema, output: {} });
      const control = mustBeSupported(await runtime.play({ document, input: right }));
      if (outputOf(control) === undefined)
        return context.skip(rule, `with an input that fits, the run ${endOf(control)} as well`);
      for (const input of unfitting) {
        const result = await runtime.play({ document, input });
        const valueText = `the input ${JSON.stringify(input)} does not fit ${JSON.stringify(schema)}`;
        context.expect(rule, result.calls.length === 0, `${valueText}, and ${askedText(result)} is called`);
        context.expect(rule, isError(result), `${valueText}, and the run ${endOf(result)}`);
      }
    }
    for (const { schema, fitting: right, unfitting } of shapes(draw)) {
      const document = documentOf({ input: { type: "object" }, output: schema });
      const giving = (output: Json) => runtime.play({ document, input: { q: "tea" } }, { agent: () => ({ output }) });
      const control = await giving(right);
      if (outputOf(control) === undefined)
        return context.skip(rule, `with an output that fits, the run ${endOf(control)} as well`);
      for (const output of unfitting) {
        const result = await giving(output);
        const valueText = `the output ${JSON.stringify(output)} does not fit ${JSON.stringify(schema)}`;
        // The specification requires the check of the output, but no consequence of it.
        context.expect(rule, isError(result), `${valueText}, and the run ${endOf(result)}`, "SHOULD");
      }
    }
  },
};

/** Members that no schema knows, with names that an eager runtime might use. */
const unknownMembers: JsonObject = {
  future_field: { deep: [true] },
  enabled: false,
  disabled: true,
  retries: 3,
  when_not: "never",
  if: false,
  default: { n: 1 },
  stop: true,
};

/** Members with data as names, and members that contain a schema. */
const closedNames = new Set(["labels", "annotations", "input_mapping", "args_match", "input", "output"]);

/** The value with unknown members in each object, except in objects with data as member names. */
function withUnknown(value: Json): Json {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (!isObject(value)) return value;
  const ownMembers = Object.entries(value).map(([name, each]) => [
    name,
    closedNames.has(name) ? each : withUnknown(each),
  ]);
  return { ...unknownMembers, ...(Object.fromEntries(ownMembers) as JsonObject) };
}

/** Documents with every policy, and with all kinds of objects. */
function documents(): JsonObject[] {
  const sections = { memory: {}, constraints: { budget: {}, limits: {} } };
  const steps = [step("a"), step("b", { n: "a.output.n" })];
  const routes = [
    { when: [conditionOn("parent.input.q", "milk")], ...step("a") },
    { when: conditionOn("parent.input.q", "tea"), ...step("b") },
  ];
  const exit_condition = conditionOn("b.output.n", 7);
  const pay = { alias: "pay", approval: { condition: conditionOn("amount", { gt: 9 }), message_template: "Pay?" } };
  return [
    agentDocument("agf.sequential", { steps, output_from: { strategy: "last" } }, sections),
    agentDocument("agf.loop", { steps, exit_condition, max_iterations: 3 }, sections),
    agentDocument("agf.parallel", { agents: [step("a"), step("b")] }, sections),
    agentDocument("agf.conditional", { routes, default_agent: "c" }, sections),
    agentDocument("agf.batch", { agent: "a", input_mapping: { n: "parent.input.items.[].n" } }, sections),
    reactDocument({ max_steps: 4 }, { ...sections, action_space: { local_tools: [{ alias: "look" }, pay] } }),
    agentDocument(
      "agf.sequential",
      { steps },
      { action_space: { local_agents: [subAgent("a", { memory_scope_strategy: "none" }), subAgent("b")] } },
    ),
  ];
}

/** The visible results of a run, without names that it may choose. */
async function resultsOf(runtime: Runtime, document: JsonObject): Promise<{ visible: Json; finished: FinishedRun }> {
  const result = await runtime.play(
    { document, input: { q: "tea", items: [{ n: 1 }, { n: 2 }] } },
    {
      agent: ({ name }) => ({ output: { n: 7, [String(name)]: 1 } }),
      model: (_, count) => (count === 1 ? callOf("pay", { amount: 5 }) : { content: "done" }),
    },
  );
  const calls = result.calls.map(({ kind, about }) => [
    kind,
    about.name ?? null,
    about.input ?? about.arguments ?? null,
  ]);
  const sortedCalls = calls.map((call) => JSON.stringify(call)).sort();
  return { visible: { calls: sortedCalls, end: outputOf(result) ?? null, isError: isError(result) }, finished: result };
}

const unknownMembersScenario: Scenario = {
  name: "unknown-members",
  says: "members outside the schema change nothing about a run",
  rules: ["AGF-COMPAT-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-COMPAT-002";
    const runtime = runtimeOf(context);
    let callCount = 0;
    for (const document of documents()) {
      const without = await resultsOf(runtime, document);
      if (isUnsupported(without.finished) || outputOf(without.finished) === undefined) continue;
      callCount += 1;
      const { interface: face, ...otherSections } = document;
      const withUnknownMembers = {
        ...(withUnknown(otherSections) as JsonObject),
        interface: { ...unknownMembers, ...(face as JsonObject) },
      };
      const withThem = await resultsOf(runtime, withUnknownMembers);
      const [a, b] = [without.visible, withThem.visible].map((each) => JSON.stringify(each));
      const id = (document.execution_policy as JsonObject).id;
      context.expect(
        rule,
        equal(without.visible, withThem.visible),
        `${id}: without them the run is ${a}, with them ${b}`,
      );
    }
    if (callCount === 0) context.skip(rule, "without such members no run returns its output either");
  },
};

const repeatedAliasScenario: Scenario = {
  name: "aliases-twice",
  says: "a document with the same alias twice in one list is declined",
  rules: ["AGF-ACT-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-ACT-002";
    const runtime = runtimeOf(context);
    const [a = "", b = ""] = drawFrom(context).aliases(2);
    const entries: Readonly<Record<string, (alias: string) => JsonObject>> = {
      local_tools: (alias) => ({ alias }),
      mcp_servers: (alias) => ({ alias }),
      local_agents: (alias) => subAgent(alias),
      remote_agents: (alias) => ({ alias }),
    };
    for (const [list, entry] of Object.entries(entries)) {
      const documentOf = (aliases: readonly string[]) => ({
        ...reactDocument({}, { action_space: { [list]: aliases.map(entry) } }),
      });
      const input = { q: "tea" };
      const control = mustBeSupported(await runtime.play({ document: documentOf([a, b, a.toUpperCase() + a]), input }));
      if (outputOf(control) === undefined) {
        context.skip(rule, `with different aliases in ${list} the run ${endOf(control)} as well`);
        continue;
      }
      const resultByCase = await runtime.play({ document: documentOf([a, a.toUpperCase()]), input });
      const differ = `${list} has the aliases ${a} and ${a.toUpperCase()}, which differ, and the run ${endOf(resultByCase)}`;
      // A position says that case counts; a runtime that cannot distinguish the two may say so.
      if (isUnsupported(resultByCase)) context.skip(rule, differ);
      else context.expect(rule, outputOf(resultByCase) !== undefined, differ, "SHOULD");
      const result = await runtime.play({ document: documentOf([a, b, a]), input });
      const valueText = `${list} has the alias ${a} twice`;
      context.expect(rule, isError(result), `${valueText}, and the run ${endOf(result)}`);
      context.expect(rule, result.calls.length === 0, `${valueText}, and ${askedText(result)} is called`);
    }
  },
};

const acrossScenario: Scenario = {
  name: "aliases-across",
  says: "a document with the same alias in two lists is run",
  rules: ["AGF-ACT-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-ACT-002";
    const runtime = runtimeOf(context);
    const [a = "", b = ""] = drawFrom(context).aliases(2);
    const documentOf = (otherField: string): JsonObject =>
      reactDocument({}, { action_space: { local_agents: [subAgent(a)], mcp_servers: [{ alias: otherField }] } });
    const input = { q: "tea" };
    const control = mustBeSupported(await runtime.play({ document: documentOf(b), input }));
    if (outputOf(control) === undefined)
      return context.skip(rule, `with different aliases the run ${endOf(control)} as well`);
    const result = await runtime.play({ document: documentOf(a), input });
    const why = `local_agents and mcp_servers both have the alias ${a}, which is unique in each, and the run ${endOf(result)}`;
    // A position says that it is valid; a runtime that cannot distinguish the two may say so.
    if (isUnsupported(result)) context.skip(rule, why);
    else context.expect(rule, outputOf(result) !== undefined, why, "SHOULD");
  },
};

/** Checks before a run, and members that a runtime must ignore. */
export const faces: readonly Scenario[] = [
  checkScenario,
  unknownMembersScenario,
  repeatedAliasScenario,
  acrossScenario,
];
