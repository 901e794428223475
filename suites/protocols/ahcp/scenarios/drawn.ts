import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { drawFor, type HubDraw } from "./draw.ts";
import { ask, notify, task } from "./messages.ts";
import { inShort, isRefused, isTaken, post, resolve, statusOf, submit } from "./steps.ts";

/** Values of options, some nearly equal to others: in case, in length, in a mark, in another spelling. */
const values = [
  "red",
  "Red",
  "re",
  "reds",
  "blue",
  "1",
  "01",
  "true",
  "null",
  "caf\u00e9",
  "cafe\u0301",
  "a b",
  "-",
  "\u00df",
  "SS",
];

/** The number of draws of each kind. */
const rounds = 4;

/** An ask with random options, and those options. */
function drawChoice(draw: HubDraw, more: JsonObject = {}): { block: JsonObject; offered: string[]; others: string[] } {
  const all = draw.some(values, values.length);
  const offered = all.slice(0, 2 + draw.number(4));
  // A label is not an answer, even if it equals another option's value.
  const options = offered.map((value, index) => ({ value, label: all.at(-1 - index) ?? value }));
  return { block: { options, ...more }, offered, others: all.slice(offered.length) };
}

/** A form with random bounds, answers that fit it, and answers that break one bound. */
function drawForm(draw: HubDraw): { schema: JsonObject; good: JsonObject[]; bad: JsonObject[] } {
  const least = draw.number(50) - 25;
  const most = least + 1 + draw.number(20);
  const length = 1 + draw.number(5);
  const words = draw.some(["north", "south", "east", "west"], 3);
  const schema = {
    type: "object",
    properties: {
      count: { type: "integer", minimum: least, maximum: most },
      name: { type: "string", minLength: length, maxLength: length + 2 },
      where: { type: "string", enum: words.slice(0, 2) },
      sure: { type: "boolean" },
    },
    required: ["count", "where"],
  };
  const right: JsonObject = { count: least, name: "n".repeat(length), where: words[0] as string };
  const optional: JsonObject[] = [
    { count: most, where: words[1] as string },
    { ...right, sure: false },
  ];
  const wrong: JsonObject[] = [
    { count: least - 1 },
    { count: most + 1 },
    { count: least + 0.5 },
    { count: `${least}` },
    { name: "n".repeat(length - 1) },
    { name: "\u{1f600}".repeat(length + 3) },
    { where: words[2] as string },
    { where: (words[0] as string).toUpperCase() },
    { sure: "true" },
    { sure: 1 },
  ];
  const { where: _, ...lacking } = right;
  return { schema, good: [right, ...optional], bad: [lacking, ...wrong.map((each) => ({ ...right, ...each }))] };
}

async function answer(
  context: ScenarioContext,
  rule: string,
  { block, value, isGood }: { block: JsonObject; value: Json; isGood: boolean },
): Promise<void> {
  const { id } = await submit(context, ask(context, {}, block));
  const { applied, shown } = await resolve(context, id, { resolution: "answered", value });
  const what = `of ${JSON.stringify(block.options ?? block.schema)} the answer ${JSON.stringify(value)}`;
  context.expect(rule, applied === isGood, `${what} is ${isGood ? "refused" : "accepted"}`, shown);
  const status = await statusOf(context, id);
  const wanted = isGood ? "answered" : "open";
  context.expect(rule, applied !== isGood || status === wanted, `after ${what} the ask is "${status}"`);
}

const form: JsonObject = { mode: "input", options: undefined as never };

export const drawnScenarios: readonly Scenario[] = [
  {
    name: "drawn-answers",
    says: "of random options and forms, fitting answers count, and no others",
    rules: ["AHCP-ASK-008", "AHCP-ASK-009"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(context) {
      const draw = drawFor(context);
      for (let round = 0; round < rounds; round++) {
        const { block, offered, others } = drawChoice(draw);
        await answer(context, "AHCP-ASK-008", { block, value: draw.one(offered), isGood: true });
        for (const value of draw.some(others, 3))
          await answer(context, "AHCP-ASK-008", { block, value, isGood: false });
        const { schema, good, bad } = drawForm(draw);
        await answer(context, "AHCP-ASK-009", { block: { ...form, schema }, value: draw.one(good), isGood: true });
        for (const value of draw.some(bad, 3))
          await answer(context, "AHCP-ASK-009", { block: { ...form, schema }, value, isGood: false });
      }
    },
  },
  {
    name: "drawn-defaults",
    says: "of random options and forms, fitting defaults are accepted, and no others",
    rules: ["AHCP-ASK-010", "AHCP-ASK-011"],
    needs: [],
    withinMs: 120_000,
    async play(context) {
      const draw = drawFor(context);
      const offers = async (rule: string, block: JsonObject, value: Json, isGood: boolean): Promise<void> => {
        const reply = await post(context, ask(context, {}, { ...block, default_on_expire: value }));
        const what = `of ${JSON.stringify(block.options ?? block.schema)} the default ${JSON.stringify(value)}`;
        if (isGood) return context.expect(rule, isTaken(reply), `${what} is refused: ${inShort(reply)}`, reply);
        context.expect(rule, !isTaken(reply), `${what} is accepted`, reply);
        // For a form, the error table does not name this case.
        const level = rule === "AHCP-ASK-011" && reply.status === 400 ? "SHOULD" : undefined;
        const why = `${what} is not refused with 422 invalid_field: ${inShort(reply)}`;
        if (!isTaken(reply)) context.expect(rule, isRefused(reply, 422, "invalid_field"), why, level, reply);
      };
      for (let round = 0; round < rounds; round++) {
        const { block, offered, others } = drawChoice(draw);
        await offers("AHCP-ASK-010", block, draw.one(offered), true);
        for (const value of draw.some(others, 2)) await offers("AHCP-ASK-010", block, value, false);
        const { schema, good, bad } = drawForm(draw);
        await offers("AHCP-ASK-011", { ...form, schema }, draw.one(good), true);
        for (const value of draw.some(bad, 3)) await offers("AHCP-ASK-011", { ...form, schema }, value, false);
      }
    },
  },
  {
    name: "drawn-versions",
    says: "of random versions, every minor of major 0 is accepted, and every other major is refused with that reason",
    rules: ["AHCP-VER-002", "AHCP-VER-003"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const draw = drawFor(context);
      for (let round = 0; round < rounds; round++) {
        const make = draw.one([notify, ask, task]);
        const minor = `0.${draw.number(10 ** (1 + draw.number(6)))}`;
        const taken = await post(context, make(context, { ahcp_version: minor }));
        context.expect("AHCP-VER-003", isTaken(taken), `version ${minor} is not accepted: ${inShort(taken)}`, taken);
        const major = `${1 + draw.number(10 ** (1 + draw.number(4)))}.${draw.number(20)}`;
        const refused = await post(context, make(context, { ahcp_version: major }));
        const why = `version ${major} is not refused with 400 version_not_supported: ${inShort(refused)}`;
        context.expect("AHCP-VER-002", isRefused(refused, 400, "version_not_supported"), why, refused);
      }
    },
  },
];
