import { equal, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { agentDocument, step, subAgent, when } from "./documents.ts";
import { countOf, endOf, type Finished, isError, namesOf, outputOf, runtimeOf, supported } from "./runtime.ts";

/** What each agent was given, by alias. */
function inputsOf({ calls }: Finished): Map<string, Json | undefined> {
  return new Map(calls.filter(({ kind }) => kind === "agent").map(({ about }) => [String(about.name), about.input]));
}

const show = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));

const paths: Scenario[] = [
  {
    name: "mapping-fields",
    says: "a mapping makes up the input of the called agent",
    rules: ["AGF-PATH-009"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const document = agentDocument("agf.sequential", {
        steps: [
          step("reader", { query: "parent.input.q", deep: "parent.input.a.b" }),
          step("writer", { notes: "reader.output.notes", title: "parent.input.q", more: "reader.output.x.y" }),
        ],
      });
      const finished = supported(
        await runtimeOf(context).play(
          { document, input: { q: "tea", a: { b: [1, "two"] }, z: 1 } },
          {
            agent: ({ name }) => ({ output: name === "reader" ? { notes: ["n"], x: { y: false }, z: 2 } : {} }),
          },
        ),
      );
      const inputs = inputsOf(finished);
      for (const [name, wanted] of [
        ["reader", { query: "tea", deep: [1, "two"] }],
        ["writer", { notes: ["n"], title: "tea", more: false }],
      ] as const) {
        const given = inputs.get(name);
        const isRight = given !== undefined && equal(given, wanted as unknown as Json);
        const why = `${name} is given ${show(given)} instead of ${JSON.stringify(wanted)}; the run ${endOf(finished)}`;
        context.expect("AGF-PATH-009", isRight, why);
      }
    },
  },
  {
    name: "mapping-route",
    says: "a route without a mapping passes on the whole input",
    rules: ["AGF-PATH-008"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const input = { kind: "bill", lines: [{ n: 1 }], note: "x" };
      const route = { when: when("parent.input.kind", "bill"), agent: "billing" };
      const document = agentDocument("agf.conditional", { routes: [route] });
      const finished = supported(await runtimeOf(context).play({ document, input }));
      const given = inputsOf(finished).get("billing");
      const isWhole = given !== undefined && equal(given, input);
      context.expect("AGF-PATH-008", isWhole, `billing is given ${show(given)}; the run ${endOf(finished)}`);
    },
  },
  {
    name: "mapping-nothing",
    says: "a path with nothing at its end makes the run fail",
    rules: ["AGF-PATH-007"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "AGF-PATH-007";
      const runtime = runtimeOf(context);
      const steps = [step("reader"), step("writer", { notes: "reader.output.notes", title: "parent.input.q" })];
      const document = agentDocument("agf.sequential", { steps });
      const reading = (output: JsonObject) => ({
        agent: ({ name }: JsonObject) => ({ output: name === "reader" ? output : {} }),
      });
      const control = supported(await runtime.play({ document, input: { q: "tea" } }, reading({ notes: "n" })));
      if (outputOf(control) === undefined)
        return context.skip(rule, `where the path leads somewhere, the run ${endOf(control)} as well`);
      for (const [what, name, field, output, input] of [
        ["to a field that a step has not returned", "writer", "notes", { other: 1 }, { q: "tea" }],
        ["to a field that the input has not", "reader", "q", { notes: "n" }, {}],
      ] as const) {
        const finished = await runtime.play({ document, input }, reading(output));
        const given = inputsOf(finished).get(name);
        if (given === undefined) context.expect(rule, isError(finished), `a path ${what}: the run ${endOf(finished)}`);
        else if (isObject(given) && !Object.hasOwn(given, field))
          context.expect(rule, false, `a path ${what}: ${name} is called without "${field}"`, "SHOULD");
        else context.expect(rule, false, `a path ${what}: ${name} is given ${show(given)}`);
      }
    },
  },
];

/** Two steps of which the second is not the one whose output is wanted. */
const pair = [step("last"), step("z")];

const outputs: Scenario[] = [
  {
    name: "output-alias",
    says: "{agent: last} means the agent of that alias",
    rules: ["AGF-OUT-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const document = agentDocument("agf.sequential", { steps: pair, output_from: { agent: "last" } });
      const finished = await runtimeOf(context).play(
        { document, input: { q: "tea" } },
        {
          agent: ({ name }) => ({ output: { of: String(name) } }),
        },
      );
      if (isError(finished) && finished.calls.length === 0)
        return context.skip("AGF-OUT-003", `a runtime may refuse the alias "last"; the run ${endOf(finished)}`);
      const isIt = equal(outputOf(finished) ?? null, { of: "last" });
      context.expect("AGF-OUT-003", isIt, `the output of the agent "last" is wanted, and the run ${endOf(finished)}`);
    },
  },
  {
    name: "output-default",
    says: "without output_from, the output is the last one, or all of them merged",
    rules: ["AGF-OUT-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const steps = [step("a"), step("b")];
      for (const [id, config, wanted] of [
        ["agf.sequential", { steps }, { b: 1 }],
        ["agf.parallel", { agents: steps }, { a: 1, b: 1 }],
        ["agf.loop", { steps, max_iterations: 2 }, { b: 2 }],
      ] as const) {
        const rounds: Record<string, number> = {};
        const finished = await runtime.play(
          { document: agentDocument(id, config as unknown as JsonObject), input: { q: "tea" } },
          {
            agent: ({ name }) => {
              const alias = String(name);
              rounds[alias] = (rounds[alias] ?? 0) + 1;
              return { output: { [alias]: rounds[alias] } };
            },
          },
        );
        if ("unsupported" in finished.ending && finished.calls.length === 0) {
          context.skip("AGF-OUT-005", `the runtime says that it does not support ${finished.ending.unsupported}`);
          continue;
        }
        const isIt = equal(outputOf(finished) ?? null, wanted as unknown as Json);
        context.expect("AGF-OUT-005", isIt, `${id} wants ${JSON.stringify(wanted)}, and the run ${endOf(finished)}`);
      }
    },
  },
  {
    name: "output-transform",
    says: "a transform that there is makes the output, and one that there is not declines the run",
    rules: ["AGF-OUT-006"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const document = (name: string) =>
        agentDocument("agf.sequential", { steps: [step("a")], output_from: { custom_transform: name } });
      const order = { input: { q: "tea" }, transforms: ["touchstone.turned"] };
      const finished = await runtime.play(
        { ...order, document: document("touchstone.turned") },
        {
          transform: () => ({ output: { turned: true } }),
        },
      );
      if ("unsupported" in finished.ending && finished.calls.length === 0)
        context.skip("AGF-OUT-006", `the runtime says that it does not support ${finished.ending.unsupported}`);
      else {
        const isIt = countOf(finished, "transform") > 0 && equal(outputOf(finished) ?? null, { turned: true });
        context.expect("AGF-OUT-006", isIt, `what the transform gives is wanted, and the run ${endOf(finished)}`);
      }
      const strange = await runtime.play({ ...order, document: document("touchstone.no_such_transform") });
      context.expect("AGF-OUT-006", isError(strange), `there is no such transform, and the run ${endOf(strange)}`);
    },
  },
];

const checked: Scenario = {
  name: "interface-checked",
  says: "input is checked ahead of the run, and output after it",
  rules: ["AGF-IFACE-004"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const rule = "AGF-IFACE-004";
    const runtime = runtimeOf(context);
    const shape = (name: string, type: string) => ({
      type: "object",
      properties: { [name]: { type } },
      required: [name],
    });
    const document = agentDocument(
      "agf.sequential",
      { steps: [step("a")] },
      {
        interface: { input: shape("q", "string"), output: shape("n", "integer") },
      },
    );
    const giving = (output: Json) => ({ agent: () => ({ output }) });
    const control = supported(await runtime.play({ document, input: { q: "tea" } }, giving({ n: 1 })));
    if (outputOf(control) === undefined)
      return context.skip(rule, `with input and output as described, the run ${endOf(control)} as well`);
    for (const input of [{}, { q: 5 }, "tea"] as Json[]) {
      const finished = await runtime.play({ document, input }, giving({ n: 1 }));
      const given = JSON.stringify(input);
      context.expect(
        rule,
        finished.calls.length === 0,
        `the input ${given} is wrong, and ${namesOf(finished, "agent").join(", ")} is called`,
      );
      context.expect(rule, isError(finished), `the input ${given} is wrong, and the run ${endOf(finished)}`);
    }
    const finished = await runtime.play({ document, input: { q: "tea" } }, giving({ n: "many" }));
    // That the output is checked is said, and not what follows.
    context.expect(rule, isError(finished), `the output has no integer "n", and the run ${endOf(finished)}`, "SHOULD");
  },
};

/** Members that no schema knows, under names by which an eager runtime might go. */
const unknown: JsonObject = {
  future_field: { deep: [true] },
  enabled: false,
  disabled: true,
  retries: 3,
  when: "never",
  if: false,
};

const strangers: Scenario = {
  name: "unknown-members",
  says: "members outside the schema change nothing about a run",
  rules: ["AGF-COMPAT-002"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const steps = [step("a"), step("b", { n: "a.output.n" })];
    const plain = agentDocument("agf.sequential", { steps });
    const { metadata, interface: face, execution_policy: policy } = plain as Record<string, JsonObject>;
    const strange: JsonObject = {
      ...unknown,
      ...plain,
      metadata: { ...unknown, ...metadata },
      interface: { ...unknown, ...face },
      memory: { ...unknown },
      constraints: { ...unknown, budget: { ...unknown, max_cost_usd: 0 }, limits: { ...unknown, max_agents: 0 } },
      action_space: { ...unknown, local_agents: [subAgent("a", unknown), subAgent("b", unknown)] },
      execution_policy: {
        ...unknown,
        ...policy,
        config: { ...unknown, steps: steps.map((each) => ({ ...unknown, ...each })) },
      },
    };
    const played = async (document: JsonObject) =>
      runtime.play(
        { document, input: { q: "tea" } },
        { agent: ({ name }) => ({ output: { n: 7, of: String(name) } }) },
      );
    const without = supported(await played(plain));
    const withThem = await played(strange);
    const [a, b] = [without, withThem].map((each) => ({
      inputs: Object.fromEntries(inputsOf(each)),
      end: endOf(each),
    }));
    const isSame = equal(a as unknown as Json, b as unknown as Json);
    context.expect(
      "AGF-COMPAT-002",
      isSame,
      `without them the run is ${JSON.stringify(a)}, with them ${JSON.stringify(b)}`,
    );
  },
};

export const data: readonly Scenario[] = [...paths, ...outputs, checked, strangers];
