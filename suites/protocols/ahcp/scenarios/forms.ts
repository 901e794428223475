import type { Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { ask, input } from "./messages.ts";
import {
  idOf,
  inShort,
  isAccepted,
  outcomeOf,
  post,
  type ResolverAnswer,
  readStored,
  resolve,
  resolveMessage,
  submit,
} from "./steps.ts";

function formWith(properties: JsonObject): JsonObject {
  return { ...input, schema: { type: "object", properties, required: Object.keys(properties) } };
}

interface Field {
  schema: JsonObject;
  fitting: Json;
  /** Invalid values that a language or a library may accept by mistake. */
  unfitting: Json[];
}

/** Fields with values that implementations confuse: falsy values, values of a similar type, and strings with a line feed. */
const fields: Field[] = [
  { schema: { type: "boolean" }, fitting: false, unfitting: [0, 1, "false", "true", "", null] },
  { schema: { type: "number" }, fitting: 0, unfitting: ["0", "", false, true, null] },
  { schema: { type: "string", pattern: "^[a-z]+$" }, fitting: "abc", unfitting: ["abc\n", "\nabc", "abc\n1", "ABC"] },
  { schema: { type: "number", minimum: 10, maximum: 200 }, fitting: 30, unfitting: [9, 1000, 9.5, -30] },
  { schema: { type: "number", minimum: 0 }, fitting: 0, unfitting: [-1, -0.5] },
  { schema: { type: "number", maximum: 0 }, fitting: 0, unfitting: [1, 0.5] },
  { schema: { type: "number", exclusiveMinimum: 0 }, fitting: 0.5, unfitting: [0, -1] },
  { schema: { type: "number", exclusiveMaximum: 0 }, fitting: -0.5, unfitting: [0, 1] },
  { schema: { type: "string", maxLength: 0 }, fitting: "", unfitting: ["a", " ", "0"] },
  {
    schema: { type: "string", minLength: 2, maxLength: 3 },
    fitting: "\u00e9\u{1f600}\u{1f600}",
    unfitting: ["\u{1f600}"],
  },
  { schema: { const: false }, fitting: false, unfitting: [true, 0, "", null] },
  { schema: { const: 0 }, fitting: 0, unfitting: [1, false, "0", ""] },
  { schema: { const: "" }, fitting: "", unfitting: ["a", false, 0, null] },
  { schema: { enum: [1, 2] }, fitting: 2, unfitting: ["1", true, 3] },
  { schema: { enum: ["1", "2"] }, fitting: "2", unfitting: [1, "1.0", "01", "1\n"] },
];

/** Checks that a hub applies each keyword of a form's schema correctly. */
export const forms: readonly Scenario[] = [
  {
    name: "forms-defaults",
    says: "a default that fits its form is accepted",
    rules: ["AHCP-ENV-024"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const [integerForm, patternForm] = [
        formWith({ n: { type: "integer" } }),
        formWith({ note: { type: "string", pattern: "b" } }),
      ];
      const fillForm = (block: JsonObject, value: JsonObject): string =>
        JSON.stringify(ask(context, {}, { ...block, default_on_expire: value })).replace('"=1.0"', "1.0");
      const defaultCases: [description: string, plainText: string, text: string][] = [
        ["1.0 for an integer", fillForm(integerForm, { n: 1 }), fillForm(integerForm, { n: "=1.0" })],
        [
          '"abc", in which the pattern "b" is found,',
          fillForm(patternForm, { note: "b" }),
          fillForm(patternForm, { note: "abc" }),
        ],
      ];
      for (const [description, plainText, text] of defaultCases) {
        // The specification does not list all keywords of forms.
        if (!isAccepted(await post(context, plainText))) {
          context.skip("AHCP-ENV-024", `the hub accepts no such form, so ${description} cannot be tested`);
          continue;
        }
        const reply = await post(context, text);
        context.expect("AHCP-ENV-024", isAccepted(reply), `the default ${description} is refused: ${inShort(reply)}`);
      }
    },
  },
  {
    name: "forms-answers",
    says: "an answer that the form offers is accepted, however its numbers are written",
    rules: ["AHCP-ASK-009"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const submitValues = (values: string) => {
        const text = JSON.stringify(ask(context, {}, formWith({ n: { enum: ["="] } })));
        return post(context, text.replace('["="]', values));
      };
      const answerForm = async (values: string, n: Json): Promise<ResolverAnswer | undefined> => {
        const reply = await submitValues(values);
        const id = idOf(reply);
        if (!isAccepted(reply) || id === undefined) return undefined;
        return resolve(context, id, { resolution: "answered", value: { n } });
      };
      const cases: [values: string, n: Json, plainText: [values: string, n: Json]][] = [
        ["[1.0,2.0]", 1, ["[1,2]", 1]],
        ['["a",null]', null, ['["a",null]', "a"]],
      ];
      for (const [values, n, plainCase] of cases) {
        const isPlainCaseAccepted = (await answerForm(...plainCase))?.applied === true;
        const resolved = isPlainCaseAccepted ? await answerForm(values, n) : undefined;
        const why = `the answer ${n} to a form with the enum ${values} is refused`;
        // The specification does not list all keywords of forms.
        if (resolved === undefined) context.skip("AHCP-ASK-009", `the hub accepts no form with the enum ${values}`);
        else context.expect("AHCP-ASK-009", resolved.applied, why, resolved.shown);
      }
    },
  },
  {
    name: "forms-values",
    says: "answers to a form are accepted exactly if JSON Schema accepts them",
    rules: ["AHCP-ASK-009"],
    needs: ["resolve"],
    withinMs: 60_000,
    async play(context) {
      for (const { schema, fitting, unfitting } of fields) {
        const schemaText = JSON.stringify(schema);
        const reply = await post(context, ask(context, {}, formWith({ n: schema })));
        const id = idOf(reply);
        // The specification does not list all keywords of forms.
        if (!isAccepted(reply) || id === undefined) {
          context.skip("AHCP-ASK-009", `the hub accepts no form with the field ${schemaText}`);
          continue;
        }
        const answerField = (n: Json) => resolve(context, id, { resolution: "answered", value: { n } });
        let acceptedWrongly: (ResolverAnswer & { n: Json }) | undefined;
        for (const n of unfitting) {
          const resolved = await answerField(n);
          if (!resolved.applied) continue;
          acceptedWrongly = { ...resolved, n };
          break;
        }
        const why = `a form with the field ${schemaText} is answered with ${JSON.stringify(acceptedWrongly?.n ?? null)}`;
        context.expect("AHCP-ASK-009", acceptedWrongly === undefined, why, acceptedWrongly?.shown);
        if (acceptedWrongly !== undefined) continue;
        const whyRefused = `a form with the field ${schemaText} cannot be answered with ${JSON.stringify(fitting)}`;
        const { applied, shown: evidence } = await answerField(fitting);
        context.expect("AHCP-ASK-009", applied, whyRefused, evidence);
      }
    },
  },
  {
    name: "forms-secret",
    says: "a reference to a secret is no answer to a field that is not sensitive",
    rules: ["AHCP-ASK-009"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const numberForm = formWith({ n: { type: "number" } });
      const controlAsk = await submit(context, ask(context, {}, numberForm));
      await resolveMessage(context, controlAsk.id, { resolution: "answered", value: { n: 1 } });
      const { id } = await submit(context, ask(context, {}, numberForm));
      const value = { n: { secret_ref: "vault://touchstone/n" } };
      await resolve(context, id, { resolution: "answered", value });
      const stored = await readStored(context, id);
      // An edited answer may deviate from the form.
      const level = outcomeOf(stored).inner.edited === true ? "SHOULD" : undefined;
      const why = `a number that is not sensitive is answered with ${JSON.stringify(value.n)}`;
      context.expect("AHCP-ASK-009", stored.status !== "answered", why, level);
    },
  },
];
