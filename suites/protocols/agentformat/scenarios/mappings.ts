import { equal, type Json, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, step } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { describeEnd, type FinishedRun, isError, isUnsupported, type Runtime, runtimeOf } from "./runtime.ts";

/** A policy with mappings, and the expected input of each call. */
interface MappingCase {
  id: string;
  config: JsonObject;
  input: JsonObject;
  interface?: JsonObject;
  /** The output of an agent in one of its calls. */
  output?(name: string, count: number): Json;
  expectedInputs: [name: string, input: Json][];
  /** The number of initial calls whose input is unspecified; the run may also end there. */
  openCalls?: number;
}

type DrawValue = () => Json;

/** Values that are often mistaken for a missing value, or for another value. */
const valueKinds: readonly ((draw: Draw) => Json)[] = [
  () => 0,
  () => false,
  () => "",
  () => [],
  () => ({}),
  ({ word }) => word(),
  ({ integer }) => integer(-900, 900) / 8,
  () => true,
  ({ integer, word }) => [integer(1, 9), word()],
  ({ word }) => [word()],
  ({ integer, word }) => ({ [word()]: [{ n: integer(1, 9) }] }),
];

/** Returns a function that draws values, each kind once before any kind repeats. */
function valueDrawer(draw: Draw): DrawValue {
  let remaining: typeof valueKinds = [];
  return () => {
    if (remaining.length === 0) remaining = draw.shuffled(valueKinds);
    const [kind = () => null, ...kindsLeft] = remaining;
    remaining = kindsLeft;
    return kind(draw);
  };
}

function sequenceMapping(draw: Draw, value: DrawValue): MappingCase {
  const [firstAlias = "", secondAlias = "", thirdAlias = ""] = draw.aliases(3);
  const [q, deepValue, notes, moreValue, z] = [value(), value(), value(), value(), draw.word()];
  const steps = [
    step(firstAlias, { query: "parent.input.q", deep: "parent.input.in_1.b.C", z: "parent.input.q" }),
    // Reads the run's input, not the input of the previous step.
    step(secondAlias, {
      notes: `${firstAlias}.output.notes`,
      q: "parent.input.q",
      more: `${firstAlias}.output.x.y`,
      z: "parent.input.z",
    }),
    step(thirdAlias, { first: `${firstAlias}.output.notes`, second: `${secondAlias}.output.notes` }),
  ];
  return {
    id: "agf.sequential",
    config: { steps },
    input: { q, in_1: { b: { C: deepValue, d: 1 } }, z },
    output: (name) => (name === firstAlias ? { notes, x: { y: moreValue }, z: 2 } : { notes: name }),
    expectedInputs: [
      [firstAlias, { query: q, deep: deepValue, z: q }],
      [secondAlias, { notes, q, more: moreValue, z }],
      [thirdAlias, { first: notes, second: secondAlias }],
    ],
  };
}

function parallelMapping(draw: Draw, value: DrawValue): MappingCase {
  const [firstAlias = "", secondAlias = ""] = draw.aliases(2);
  const [q, r] = [value(), value()];
  return {
    id: "agf.parallel",
    config: {
      agents: [
        step(firstAlias, { x: "parent.input.q" }),
        step(secondAlias, { x: "parent.input.r", y: "parent.input.q" }),
      ],
    },
    input: { q, r },
    expectedInputs: [
      [firstAlias, { x: q }],
      [secondAlias, { x: r, y: q }],
    ],
  };
}

function loopMapping(draw: Draw, value: DrawValue): MappingCase {
  const [firstAlias = "", secondAlias = ""] = draw.aliases(2);
  const q = value();
  return {
    id: "agf.loop",
    config: {
      steps: [step(firstAlias, { x: "parent.input.q" }), step(secondAlias, { n: `${firstAlias}.output.n` })],
      max_iterations: 3,
    },
    input: { q },
    output: (_, count) => ({ n: count }),
    expectedInputs: [1, 2, 3].flatMap((n): [string, Json][] => [
      [firstAlias, { x: q }],
      [secondAlias, { n }],
    ]),
  };
}

/** A loop with paths to an agent's own output and to a later step: the values of the previous round, unspecified in the first round. */
function backwardLoop(draw: Draw): MappingCase {
  const [firstAlias = "", secondAlias = "", thirdAlias = ""] = draw.aliases(3);
  const q = draw.word();
  const steps = [
    step(firstAlias, { own: `${firstAlias}.output.n`, later: `${thirdAlias}.output.n`, x: "parent.input.q" }),
    step(secondAlias, { n: `${firstAlias}.output.n` }),
    step(thirdAlias, { n: `${secondAlias}.output.n` }),
  ];
  return {
    id: "agf.loop",
    config: { steps, max_iterations: 3 },
    input: { q },
    output: (name, count) => ({ n: `${name}${count}` }),
    openCalls: 1,
    expectedInputs: [1, 2, 3].flatMap((n): [string, Json][] => [
      [firstAlias, { own: `${firstAlias}${n - 1}`, later: `${thirdAlias}${n - 1}`, x: q }],
      [secondAlias, { n: `${firstAlias}${n}` }],
      [thirdAlias, { n: `${secondAlias}${n}` }],
    ]),
  };
}

/** A case with defaults in the interface, for members that the input has. */
function defaultsMapping(draw: Draw): MappingCase {
  const [a = ""] = draw.aliases(1);
  const inputs: JsonObject = { q: 0, r: false, s: "", t: [], u: null, v: draw.word() };
  const properties = Object.fromEntries(Object.keys(inputs).map((name) => [name, { default: draw.word() }]));
  const mapping = Object.fromEntries(Object.keys(inputs).map((name) => [name, `parent.input.${name}`]));
  return {
    id: "agf.sequential",
    config: { steps: [step(a, mapping)] },
    interface: { input: { type: "object", properties }, output: {} },
    input: inputs,
    expectedInputs: [[a, inputs]],
  };
}

function batchMapping(draw: Draw, value: DrawValue): MappingCase {
  const [a = ""] = draw.aliases(1);
  const [q, items] = [
    value(),
    Array.from({ length: draw.integer(2, 4) }, () => ({ v: value(), w: { u: draw.word() } })),
  ];
  const input_mapping = { x: "parent.input.in_1.items.[].v", u: "parent.input.in_1.items.[].w.u", q: "parent.input.q" };
  return {
    id: "agf.batch",
    config: { agent: a, input_mapping },
    input: { q, in_1: { items: items as unknown as Json } },
    expectedInputs: items.map(({ v, w: { u } }) => [a, { x: v, u, q }]),
  };
}

function itemsMapping(draw: Draw, value: DrawValue): MappingCase {
  const [a = ""] = draw.aliases(1);
  const items = Array.from({ length: 3 }, () => value());
  return {
    id: "agf.batch",
    config: { agent: a, input_mapping: { x: "parent.input.items.[]" } },
    input: { items },
    expectedInputs: items.map((x) => [a, { x }]),
  };
}

function routeMapping(draw: Draw, value: DrawValue): MappingCase {
  const [a = ""] = draw.aliases(1);
  const q = value();
  return {
    id: "agf.conditional",
    config: { routes: [{ when: conditionOn("parent.input.kind", "bill"), ...step(a, { x: "parent.input.q" }) }] },
    input: { kind: "bill", q },
    expectedInputs: [[a, { x: q }]],
  };
}

const formatCalls = (calls: readonly (readonly [string, Json])[]): string[] =>
  calls.map(([name, input]) => `${name} ${JSON.stringify(input)}`);

/** Whether two lists contain the same items, in any order. */
function haveSameCalls(inputs: readonly (readonly [string, Json])[], expected: MappingCase["expectedInputs"]): boolean {
  const remaining = [...inputs];
  return (
    inputs.length === expected.length &&
    expected.every(([name, input]) => {
      const index = remaining.findIndex(
        ([otherName, remainingInput]) => otherName === name && equal(remainingInput, input),
      );
      return index !== -1 && remaining.splice(index, 1).length === 1;
    })
  );
}

/** Plays a policy with mappings, with the outputs of the case. */
async function runMapping(
  runtime: Runtime,
  { id, config, input, output, ...mapping }: MappingCase,
): Promise<FinishedRun> {
  const counts: Record<string, number> = {};
  const agent = ({ name }: JsonObject): JsonObject => {
    const alias = String(name);
    const count = (counts[alias] ?? 0) + 1;
    counts[alias] = count;
    return { output: output?.(alias, count) ?? {} };
  };
  const interfaceSection = mapping.interface === undefined ? {} : { interface: mapping.interface };
  return runtime.play({ document: agentDocument(id, config, interfaceSection), input }, { agent });
}

const rule = "AGF-PATH-009";

/** Checks the inputs of the called agents. Skips the case if the runtime does not support the policy. */
async function playMapping(context: ScenarioContext, runtime: Runtime, mapping: MappingCase): Promise<void> {
  const { id, expectedInputs, openCalls = 0 } = mapping;
  const result = await runMapping(runtime, mapping);
  if (isUnsupported(result))
    return context.skip(rule, `mappings of ${id} were not tested: the runtime does not support it`);
  const inputs = result.calls
    .filter(({ kind }) => kind === "agent")
    .map(({ about }) => [String(about.name), about.input ?? null] as const);
  // A runtime that ends a run at a path without a value cannot finish any document of this kind.
  if (openCalls > 0 && inputs.length <= openCalls && isError(result)) return;
  const [checkedInputs, expectedRest] = [inputs.slice(openCalls), expectedInputs.slice(openCalls)];
  const calledText = formatCalls(checkedInputs).join("; ") || "no agent";
  const why = `${id}: the runtime called ${calledText} instead of ${formatCalls(expectedRest).join("; ")}; the run ${describeEnd(result)}`;
  // A runtime may treat null like a missing value, which ends the run, but it must not omit the field.
  const isRefusal =
    isError(result) &&
    checkedInputs.length < expectedRest.length &&
    haveSameCalls(checkedInputs, expectedRest.slice(0, checkedInputs.length));
  const isNullRefused = isRefusal && Object.values((expectedRest[checkedInputs.length] ?? [])[1] ?? {}).includes(null);
  context.expect(rule, haveSameCalls(checkedInputs, expectedRest), why, isNullRefused ? "SHOULD" : undefined);
}

/** Mappings in every policy, with random values. */
export const mappingScenarios: readonly Scenario[] = [
  {
    name: "mapping-fields",
    says: "a mapping defines the input of the called agent",
    rules: ["AGF-PATH-009"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const draw = drawFrom(context);
      const value = valueDrawer(draw);
      const makers = [sequenceMapping, parallelMapping, loopMapping, batchMapping, itemsMapping, routeMapping];
      for (const make of [sequenceMapping, ...makers, backwardLoop, defaultsMapping])
        await playMapping(context, runtime, make(draw, value));
      for (const make of makers)
        await playMapping(
          context,
          runtime,
          make(draw, () => null),
        );
    },
  },
];
