import { equal, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { agentDocument, callOf, conditionOn, reactDocument, step, subAgent } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import {
  describeEnd,
  type FinishedRun,
  isError,
  isUnsupported,
  outputOf,
  type Runtime,
  requireSupport,
  runtimeOf,
} from "./runtime.ts";

/** A schema with a valid value and invalid ones. */
interface SchemaCase {
  schema: JsonObject;
  validValue: Json;
  invalidValues: readonly Json[];
}

function schemaCases({ integer, word }: Draw): SchemaCase[] {
  const [name, otherField, minimum] = [`f_${word()}`, `g_${word()}`, integer(-9, 9)];
  const objectWith = (type: string): JsonObject => ({
    type: "object",
    properties: { [name]: { type } },
    required: [name],
  });
  return [
    {
      schema: objectWith("string"),
      validValue: { [name]: "tea" },
      invalidValues: [{}, { [name]: 5 }, "tea", { [otherField]: "tea" }],
    },
    {
      schema: {
        type: "object",
        properties: { [name]: { type: "integer", minimum } },
        required: [name, otherField],
      },
      validValue: { [name]: minimum, [otherField]: null },
      invalidValues: [
        { [name]: minimum - 1, [otherField]: 1 },
        { [name]: minimum },
        { [name]: minimum + 0.5, [otherField]: 1 },
      ],
    },
    {
      schema: { type: "object", properties: { [name]: { type: "array", items: objectWith("boolean"), minItems: 1 } } },
      validValue: { [name]: [{ [name]: false }] },
      invalidValues: [{ [name]: [] }, { [name]: [{ [name]: false }, { [name]: 0 }] }],
    },
    {
      schema: { type: "object", properties: { [name]: { enum: ["a", "b"] } }, additionalProperties: false },
      validValue: { [name]: "b" },
      invalidValues: [{ [name]: "c" }, { [name]: "a", [otherField]: 1 }],
    },
  ];
}

const listCalls = ({ calls }: FinishedRun): string =>
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
    // The mapping is empty because the specification does not define the input of a step without one.
    const documentOf = (agentInterface: JsonObject): JsonObject =>
      agentDocument("agf.sequential", { steps: [{ agent: "a", input_mapping: {} }] }, { interface: agentInterface });
    for (const { schema, validValue, invalidValues } of schemaCases(draw)) {
      const document = documentOf({ input: schema, output: {} });
      const control = requireSupport(await runtime.play({ document, input: validValue }));
      if (outputOf(control) === undefined)
        return context.skip(rule, `the run ${describeEnd(control)} even with a valid input`);
      for (const input of invalidValues) {
        const result = await runtime.play({ document, input });
        const valueText = `the input ${JSON.stringify(input)} does not match ${JSON.stringify(schema)}`;
        context.expect(rule, result.calls.length === 0, `${valueText}, but ${listCalls(result)} is called`);
        context.expect(rule, isError(result), `${valueText}, but the run ${describeEnd(result)}`);
      }
    }
    for (const { schema, validValue, invalidValues } of schemaCases(draw)) {
      const document = documentOf({ input: { type: "object" }, output: schema });
      const playWithOutput = (output: Json) =>
        runtime.play({ document, input: { q: "tea" } }, { agent: () => ({ output }) });
      const control = await playWithOutput(validValue);
      if (outputOf(control) === undefined)
        return context.skip(rule, `the run ${describeEnd(control)} even with a valid output`);
      for (const output of invalidValues) {
        const result = await playWithOutput(output);
        const valueText = `the output ${JSON.stringify(output)} does not match ${JSON.stringify(schema)}`;
        // The specification requires the check of the output, but does not define its consequence.
        context.expect(rule, isError(result), `${valueText}, but the run ${describeEnd(result)}`, "SHOULD");
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

/** Members with arbitrary names inside: those with data as keys, and those that contain a schema. */
const freeFormMembers = new Set(["labels", "annotations", "input_mapping", "args_match", "input", "output"]);

/** Adds unknown members to each object in a value, except in objects with arbitrary names. */
function addUnknownMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(addUnknownMembers);
  if (!isObject(value)) return value;
  const ownMembers = Object.entries(value).map(([name, member]) => [
    name,
    freeFormMembers.has(name) ? member : addUnknownMembers(member),
  ]);
  return { ...unknownMembers, ...(Object.fromEntries(ownMembers) as JsonObject) };
}

/** Documents that together have every policy and every kind of object. */
function documentsOfAllKinds(): JsonObject[] {
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

/** The visible result of a run, without the names that a runtime may choose. */
async function playVisibly(runtime: Runtime, document: JsonObject): Promise<{ visible: Json; finished: FinishedRun }> {
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
  says: "members outside the schema do not change a run",
  rules: ["AGF-COMPAT-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-COMPAT-002";
    const runtime = runtimeOf(context);
    let comparedRuns = 0;
    for (const document of documentsOfAllKinds()) {
      const plain = await playVisibly(runtime, document);
      if (isUnsupported(plain.finished) || outputOf(plain.finished) === undefined) continue;
      comparedRuns += 1;
      const { interface: agentInterface, ...otherSections } = document;
      const extendedDocument = {
        ...(addUnknownMembers(otherSections) as JsonObject),
        interface: { ...unknownMembers, ...(agentInterface as JsonObject) },
      };
      const extended = await playVisibly(runtime, extendedDocument);
      const [plainText, extendedText] = [plain.visible, extended.visible].map((result) => JSON.stringify(result));
      const id = (document.execution_policy as JsonObject).id;
      context.expect(
        rule,
        equal(plain.visible, extended.visible),
        `${id}: without unknown members the run is ${plainText}, with them ${extendedText}`,
      );
    }
    if (comparedRuns === 0) context.skip(rule, "no run returns its output, even without unknown members");
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
      const control = requireSupport(await runtime.play({ document: documentOf([a, b, a.toUpperCase() + a]), input }));
      if (outputOf(control) === undefined) {
        context.skip(rule, `the run ${describeEnd(control)} even with different aliases in ${list}`);
        continue;
      }
      const resultOfCases = await runtime.play({ document: documentOf([a, a.toUpperCase()]), input });
      const caseText = `${list} has the aliases ${a} and ${a.toUpperCase()}, which differ in case, but the run ${describeEnd(resultOfCases)}`;
      // By a position of the catalogue, case counts. A runtime that cannot distinguish the two may declare so.
      if (isUnsupported(resultOfCases)) context.skip(rule, caseText);
      else context.expect(rule, outputOf(resultOfCases) !== undefined, caseText, "SHOULD");
      const result = await runtime.play({ document: documentOf([a, b, a]), input });
      const valueText = `${list} has the alias ${a} twice`;
      context.expect(rule, isError(result), `${valueText}, but the run ${describeEnd(result)}`);
      context.expect(rule, result.calls.length === 0, `${valueText}, but ${listCalls(result)} is called`);
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
    const documentOf = (serverAlias: string): JsonObject =>
      reactDocument({}, { action_space: { local_agents: [subAgent(a)], mcp_servers: [{ alias: serverAlias }] } });
    const input = { q: "tea" };
    const control = requireSupport(await runtime.play({ document: documentOf(b), input }));
    if (outputOf(control) === undefined)
      return context.skip(rule, `the run ${describeEnd(control)} even with different aliases`);
    const result = await runtime.play({ document: documentOf(a), input });
    const why = `local_agents and mcp_servers both have the alias ${a}, which is unique in each, but the run ${describeEnd(result)}`;
    // By a position of the catalogue, this is valid. A runtime that cannot distinguish the two may declare so.
    if (isUnsupported(result)) context.skip(rule, why);
    else context.expect(rule, outputOf(result) !== undefined, why, "SHOULD");
  },
};

/** Checks of the interface and of aliases, and members that a runtime must ignore. */
export const declaredScenarios: readonly Scenario[] = [
  checkScenario,
  unknownMembersScenario,
  repeatedAliasScenario,
  acrossScenario,
];
