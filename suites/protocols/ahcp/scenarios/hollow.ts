import type { HttpReply, Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { conflict } from "./idempotency.ts";
import { ask, by, input } from "./messages.ts";
import { idOf, inShort, isTaken, outcomeOf, post, resolve, stored } from "./steps.ts";

/** A choice of which one option is the empty text. */
export const emptyChoice: JsonObject = {
  options: [
    { value: "", label: "None" },
    { value: "b", label: "B" },
  ],
};

/** A form that need not be filled in. */
export const emptyForm: JsonObject = {
  ...input,
  schema: { type: "object", properties: { note: { type: "string" } } },
};

const answers: [what: string, block: JsonObject, value: Json][] = [
  ['""', emptyChoice, ""],
  ["{}", emptyForm, {}],
];

/** Values that hold nothing, and are values all the same. */
export const hollow: readonly Scenario[] = [
  {
    name: "hollow-answers",
    says: "an answer is kept that is an empty text or object",
    rules: ["AHCP-RSP-011"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      for (const [what, block, value] of answers) {
        const reply = await post(context, ask(context, {}, block));
        const id = idOf(reply);
        const { applied } =
          isTaken(reply) && id !== undefined
            ? await resolve(context, id, { resolution: "answered", value })
            : { applied: false };
        const shown = applied && id !== undefined ? await stored(context, id) : {};
        if (shown.status !== "answered") {
          context.skip("AHCP-RSP-011", `an ask cannot be answered with ${what}`);
          continue;
        }
        const { value: kept = null } = outcomeOf(shown).inner;
        context.expect("AHCP-RSP-011", kept !== null, `an ask is answered with ${what}, and read without a value`);
      }
    },
  },
  {
    name: "hollow-key",
    says: "a key that is empty is refused, or a key like any other",
    rules: ["AHCP-IDM-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { a, b } = context.agents;
      const taken = async (as: "a" | "b", agent: string): Promise<[first: HttpReply, again: HttpReply]> => {
        const message = by(agent, ask(context, { idempotency_key: "" }));
        return [await post(context, message, as), await post(context, message, as)];
      };
      let [first, again] = await taken("a", a);
      // The vectors of a run are sent as the first agent, and some of them have the empty key.
      if (conflict(first) && b !== undefined) [first, again] = await taken("b", b);
      if (conflict(first))
        return context.skip("AHCP-IDM-001", "the empty key was used before, by a vector or in an earlier run");
      if (!isTaken(first) || !isTaken(again))
        return context.skip(
          "AHCP-IDM-001",
          `an empty key is not taken twice: ${inShort(isTaken(first) ? again : first)}`,
        );
      const [id, other] = [idOf(first), idOf(again)];
      const why = `under an empty key one message is taken as two: ${id} and ${other}`;
      context.expect("AHCP-IDM-001", id === other, why);
    },
  },
];
