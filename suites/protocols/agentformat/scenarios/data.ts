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
      const documentOf = (notes: string): JsonObject => {
        const steps = [step("reader"), step("writer", { notes, title: "parent.input.q" })];
        return agentDocument("agf.sequential", { steps });
      };
      const usual = "reader.output.notes";
      const reading = (output: JsonObject) => ({
        agent: ({ name }: JsonObject) => ({ output: name === "reader" ? output : {} }),
      });
      const control = mustBeSupported(
        await runtime.play({ document: documentOf(usual), input: { q: "tea" } }, reading({ notes: "n" })),
      );
      if (outputOf(control) === undefined)
        return context.skip(rule, `if the path has a value, the run ${endOf(control)} as well`);
      const input = { q: "tea" };
      for (const [what, path, output, more = {}] of [
        ["to a field that a step has not returned", usual, { other: 1 }],
        ["to a field that the input has not", usual, { notes: "n" }, { name: "reader", field: "q", input: {} }],
        ["to the length of a text", "reader.output.notes.length", { notes: "n" }],
        ["to the length of a list", "reader.output.rows.length", { rows: [1, 2] }],
        // A runtime may have a meaning of its own for the field of a list.
        ["to a field of the items of a list", "reader.output.rows.n", { rows: [{ n: 1 }] }, { isList: true }],
      ] as [string, string, JsonObject, { name?: string; field?: string; input?: JsonObject; isList?: true }?][]) {
        const { name = "writer", field = "notes" } = more;
        const asked = { document: documentOf(path), input: more.input ?? input };
        const finished = await runtime.play(asked, reading(output));
        const given = inputsOf(finished).get(name);
        if (given === undefined) context.expect(rule, isError(finished), `a path ${what}: the run ${endOf(finished)}`);
        else if (isObject(given) && !Object.hasOwn(given, field))
          context.expect(rule, false, `a path ${what}: ${name} is called without "${field}"`, "SHOULD");
        else {
          const why = `a path ${what}: ${name} is given ${show(given)}`;
          context.expect(rule, false, why, ...(more.isList === true ? (["SHOULD"] as const) : []));
        }
      }
    },
  },
];

export const data: readonly Scenario[] = paths;
