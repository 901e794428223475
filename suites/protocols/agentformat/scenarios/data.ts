import { equal, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { agentDocument, step, when } from "./documents.ts";
import { endOf, type Finished, isError, mustBeSupported, outputOf, runtimeOf } from "./runtime.ts";

/** The input of each agent, by alias. */
function inputsOf({ calls }: Finished): Map<string, Json | undefined> {
  return new Map(calls.filter(({ kind }) => kind === "agent").map(({ about }) => [String(about.name), about.input]));
}

const show = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));

const paths: Scenario[] = [
  {
    name: "mapping-route",
    says: "a route without a mapping passes on the whole input",
    rules: ["AGF-PATH-008"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const input = { kind: "bill", lines: [{ n: 1 }], note: "x" };
      const route = { when: when("parent.input.kind", "bill"), agent: "billing" };
      const document = agentDocument("agf.conditional", { routes: [route] });
      const finished = mustBeSupported(await runtimeOf(context).play({ document, input }));
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
    withinMs: 600_000,
    async play(context) {
      const rule = "AGF-PATH-007";
      const runtime = runtimeOf(context);
      const steps = [step("reader"), step("writer", { notes: "reader.output.notes", title: "parent.input.q" })];
      const document = agentDocument("agf.sequential", { steps });
      const reading = (output: JsonObject) => ({
        agent: ({ name }: JsonObject) => ({ output: name === "reader" ? output : {} }),
      });
      const control = mustBeSupported(await runtime.play({ document, input: { q: "tea" } }, reading({ notes: "n" })));
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

export const data: readonly Scenario[] = paths;
