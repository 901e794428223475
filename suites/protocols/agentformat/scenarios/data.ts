import {
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, step } from "./documents.ts";
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

/** The input of each agent, by alias. */
function inputsOf({ calls }: FinishedRun): Map<string, Json | undefined> {
  return new Map(calls.filter(({ kind }) => kind === "agent").map(({ about }) => [String(about.name), about.input]));
}

const formatValue = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));

/** A policy that calls an agent twice; at the second call, a path no longer has a value. */
interface LostValue {
  description: string;
  id: string;
  config: JsonObject;
  input: JsonObject;
  /** The reader's output in each round. */
  reads: readonly JsonObject[];
}

const notes = { notes: "reader.output.notes" };
const reads = [{ notes: "n", other: 1 }, { other: 2 }];

const lostValues: readonly LostValue[] = [
  {
    description: "to a field that a step returned only in the previous round",
    id: "agf.loop",
    config: { steps: [step("reader"), step("writer", notes)], max_iterations: 2 },
    input: { q: "tea" },
    reads,
  },
  {
    description: "to a field that only the previous item has",
    id: "agf.batch",
    config: { agent: "writer", input_mapping: { notes: "parent.input.items.[].notes" } },
    input: { items: reads },
    reads: [],
  },
];

/** Checks that an earlier value is not used again: either the run ends, or the agent is called without the value. */
async function checkNoOldValue(context: ScenarioContext, runtime: Runtime, lostValue: LostValue): Promise<void> {
  let readCount = 0;
  const agent = ({ name }: JsonObject): JsonObject => ({
    output: (name === "reader" ? lostValue.reads[readCount++] : {}) ?? {},
  });
  const result = await runtime.play(
    { document: agentDocument(lostValue.id, lostValue.config), input: lostValue.input },
    { agent },
  );
  const writerCalls = result.calls.filter(({ kind, about }) => kind === "agent" && about.name === "writer");
  if (isUnsupported(result))
    return context.skip(
      "AGF-PATH-007",
      `a path ${lostValue.description} was not tested: the runtime does not support ${lostValue.id}`,
    );
  for (const { about } of writerCalls.slice(1)) {
    const reusesOldValue = isObject(about.input) && about.input.notes !== undefined;
    const why = `a path ${lostValue.description}: writer receives ${formatValue(about.input)}`;
    context.expect("AGF-PATH-007", !reusesOldValue, why);
  }
}

const paths: Scenario[] = [
  {
    name: "mapping-route",
    says: "a route without a mapping passes on the whole input",
    rules: ["AGF-PATH-008"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const input = { kind: "bill", lines: [{ n: 1 }], note: "x", paid: false, sum: 0, due: null };
      const runtime = runtimeOf(context);
      const route = { when: conditionOn("parent.input.kind", "bill"), agent: "billing" };
      const mappedRoute = {
        ...route,
        when: conditionOn("parent.input.kind", "note"),
        input_mapping: { n: "parent.input.note" },
      };
      const document = agentDocument("agf.conditional", { routes: [mappedRoute, route], default_agent: "desk" });
      const result = requireSupport(await runtime.play({ document, input }));
      const passedInput = inputsOf(result).get("billing");
      const isWholeInput = passedInput !== undefined && equal(passedInput, input);
      context.expect(
        "AGF-PATH-008",
        isWholeInput,
        `billing receives ${formatValue(passedInput)}; the run ${describeEnd(result)}`,
      );
      // The specification does not define the default agent's input, but a mapping belongs only to its route.
      const otherResult = await runtime.play({
        document: agentDocument("agf.conditional", { routes: [mappedRoute], default_agent: "desk" }),
        input,
      });
      const inputOfDesk = inputsOf(otherResult).get("desk");
      const isMapped = inputOfDesk !== undefined && equal(inputOfDesk, { n: input.note });
      const why = `the default agent receives ${formatValue(inputOfDesk)}, which is the mapping of a route that does not match`;
      context.expect("AGF-PATH-008", !isMapped, why, "SHOULD");
    },
  },
  {
    name: "mapping-nothing",
    says: "a path without a value makes the run fail",
    rules: ["AGF-PATH-007"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const rule = "AGF-PATH-007";
      const runtime = runtimeOf(context);
      const documentOf = (notes: string): JsonObject => {
        const steps = [step("reader"), step("writer", { notes, title: "parent.input.q" })];
        return agentDocument("agf.sequential", { steps });
      };
      const usualPath = "reader.output.notes";
      const withReaderOutput = (output: JsonObject) => ({
        agent: ({ name }: JsonObject) => ({ output: name === "reader" ? output : {} }),
      });
      const control = requireSupport(
        await runtime.play({ document: documentOf(usualPath), input: { q: "tea" } }, withReaderOutput({ notes: "n" })),
      );
      if (outputOf(control) === undefined)
        return context.skip(rule, `the run ${describeEnd(control)} even if the path has a value`);
      const input = { q: "tea" };
      for (const [description, path, output, options = {}] of [
        ["to a field that a step has not returned", usualPath, { other: 1 }],
        [
          "to a field that the input does not have",
          usualPath,
          { notes: "n" },
          { name: "reader", field: "q", input: {} },
        ],
        ["to the length of a string", "reader.output.notes.length", { notes: "n" }],
        ["to the length of a list", "reader.output.rows.length", { rows: [1, 2] }],
        // A runtime may give the field of a list a meaning of its own.
        ["to a field of the items of a list", "reader.output.rows.n", { rows: [{ n: 1 }] }, { isList: true }],
      ] as [string, string, JsonObject, { name?: string; field?: string; input?: JsonObject; isList?: true }?][]) {
        const { name = "writer", field = "notes" } = options;
        const order = { document: documentOf(path), input: options.input ?? input };
        const result = await runtime.play(order, withReaderOutput(output));
        const passedInput = inputsOf(result).get(name);
        if (passedInput === undefined)
          context.expect(rule, isError(result), `a path ${description}: the run ${describeEnd(result)}`);
        else if (isObject(passedInput) && !Object.hasOwn(passedInput, field))
          context.expect(rule, false, `a path ${description}: ${name} is called without "${field}"`, "SHOULD");
        else {
          const why = `a path ${description}: ${name} receives ${formatValue(passedInput)}`;
          context.expect(rule, false, why, ...(options.isList === true ? (["SHOULD"] as const) : []));
        }
      }
      for (const lostValue of lostValues) await checkNoOldValue(context, runtime, lostValue);
    },
  },
];

export const dataScenarios: readonly Scenario[] = paths;
