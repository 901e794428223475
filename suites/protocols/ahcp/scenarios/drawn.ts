import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { drawFor, type HubDraw } from "./draw.ts";
import { ask, notify, task } from "./messages.ts";
import { inShort, isAccepted, isRefused, post, resolve, statusOf, submit } from "./steps.ts";

/** Option values. Some are nearly equal: they differ only in case, length, an accent, or Unicode normalization. */
const optionValues = [
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

/** A request with random options, their values, and values that are not offered. */
function drawChoice(
  draw: HubDraw,
  members: JsonObject = {},
): { block: JsonObject; offered: string[]; others: string[] } {
  const drawnValues = draw.pickSome(optionValues, optionValues.length);
  const offeredValues = drawnValues.slice(0, 2 + draw.number(4));
  // A label is not an answer, even if it equals another option's value.
  const options = offeredValues.map((value, index) => ({ value, label: drawnValues.at(-1 - index) ?? value }));
  return { block: { options, ...members }, offered: offeredValues, others: drawnValues.slice(offeredValues.length) };
}

/** A form with random bounds, answers that satisfy it, and answers that break one bound. */
function drawForm(draw: HubDraw): { schema: JsonObject; fitting: JsonObject[]; unfitting: JsonObject[] } {
  const minimum = draw.number(50) - 25;
  const maximum = minimum + 1 + draw.number(20);
  const nameLength = 1 + draw.number(5);
  const directions = draw.pickSome(["north", "south", "east", "west"], 3);
  const schema = {
    type: "object",
    properties: {
      count: { type: "integer", minimum, maximum },
      name: { type: "string", minLength: nameLength, maxLength: nameLength + 2 },
      where: { type: "string", enum: directions.slice(0, 2) },
      sure: { type: "boolean" },
    },
    required: ["count", "where"],
  };
  const fittingAnswer: JsonObject = { count: minimum, name: "n".repeat(nameLength), where: directions[0] as string };
  const otherAnswers: JsonObject[] = [
    { count: maximum, where: directions[1] as string },
    { ...fittingAnswer, sure: false },
  ];
  const unfittingAnswers: JsonObject[] = [
    { count: minimum - 1 },
    { count: maximum + 1 },
    { count: minimum + 0.5 },
    { count: `${minimum}` },
    { name: "n".repeat(nameLength - 1) },
    { name: "\u{1f600}".repeat(nameLength + 3) },
    { where: directions[2] as string },
    { where: (directions[0] as string).toUpperCase() },
    { sure: "true" },
    { sure: 1 },
  ];
  const { where: _, ...withoutWhere } = fittingAnswer;
  return {
    schema,
    fitting: [fittingAnswer, ...otherAnswers],
    unfitting: [withoutWhere, ...unfittingAnswers.map((wrongMembers) => ({ ...fittingAnswer, ...wrongMembers }))],
  };
}

async function checkAnswer(
  context: ScenarioContext,
  rule: string,
  { block, value, isValid }: { block: JsonObject; value: Json; isValid: boolean },
): Promise<void> {
  const { id } = await submit(context, ask(context, {}, block));
  const { applied, shown } = await resolve(context, id, { resolution: "answered", value });
  const askText = `the answer ${JSON.stringify(value)} to ${JSON.stringify(block.options ?? block.schema)}`;
  context.expect(rule, applied === isValid, `${askText} is ${isValid ? "refused" : "accepted"}`, shown);
  const status = await statusOf(context, id);
  const expectedStatus = isValid ? "answered" : "open";
  context.expect(rule, applied !== isValid || status === expectedStatus, `after ${askText} the ask is "${status}"`);
}

const form: JsonObject = { mode: "input", options: undefined as never };

export const drawnScenarios: readonly Scenario[] = [
  {
    name: "drawn-answers",
    says: "random options and forms accept exactly the valid answers",
    rules: ["AHCP-ASK-008", "AHCP-ASK-009"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(context) {
      const draw = drawFor(context);
      for (let round = 0; round < rounds; round++) {
        const { block, offered: offeredValues, others: otherValues } = drawChoice(draw);
        await checkAnswer(context, "AHCP-ASK-008", { block, value: draw.pick(offeredValues), isValid: true });
        for (const value of draw.pickSome(otherValues, 3))
          await checkAnswer(context, "AHCP-ASK-008", { block, value, isValid: false });
        const { schema, fitting, unfitting } = drawForm(draw);
        await checkAnswer(context, "AHCP-ASK-009", {
          block: { ...form, schema },
          value: draw.pick(fitting),
          isValid: true,
        });
        for (const value of draw.pickSome(unfitting, 3))
          await checkAnswer(context, "AHCP-ASK-009", { block: { ...form, schema }, value, isValid: false });
      }
    },
  },
  {
    name: "drawn-defaults",
    says: "random options and forms accept exactly the valid defaults",
    rules: ["AHCP-ASK-010", "AHCP-ASK-011"],
    needs: [],
    withinMs: 120_000,
    async play(context) {
      const draw = drawFor(context);
      const checkDefault = async (rule: string, block: JsonObject, value: Json, isValid: boolean): Promise<void> => {
        const reply = await post(context, ask(context, {}, { ...block, default_on_expire: value }));
        const askText = `the default ${JSON.stringify(value)} of ${JSON.stringify(block.options ?? block.schema)}`;
        if (isValid) return context.expect(rule, isAccepted(reply), `${askText} is refused: ${inShort(reply)}`, reply);
        context.expect(rule, !isAccepted(reply), `${askText} is accepted`, reply);
        // For a form, the specification's error table does not list this case.
        const level = rule === "AHCP-ASK-011" && reply.status === 400 ? "SHOULD" : undefined;
        const why = `${askText} is not refused with 422 invalid_field: ${inShort(reply)}`;
        if (!isAccepted(reply)) context.expect(rule, isRefused(reply, 422, "invalid_field"), why, level, reply);
      };
      for (let round = 0; round < rounds; round++) {
        const { block, offered: offeredValues, others: otherValues } = drawChoice(draw);
        await checkDefault("AHCP-ASK-010", block, draw.pick(offeredValues), true);
        for (const value of draw.pickSome(otherValues, 2)) await checkDefault("AHCP-ASK-010", block, value, false);
        const { schema, fitting, unfitting } = drawForm(draw);
        await checkDefault("AHCP-ASK-011", { ...form, schema }, draw.pick(fitting), true);
        for (const value of draw.pickSome(unfitting, 3))
          await checkDefault("AHCP-ASK-011", { ...form, schema }, value, false);
      }
    },
  },
  {
    name: "drawn-versions",
    says: "random minor versions of major 0 are accepted, and other majors are refused as unsupported",
    rules: ["AHCP-VER-002", "AHCP-VER-003"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const draw = drawFor(context);
      for (let round = 0; round < rounds; round++) {
        const createMessage = draw.pick([notify, ask, task]);
        const minor = `0.${draw.number(10 ** (1 + draw.number(6)))}`;
        const minorReply = await post(context, createMessage(context, { ahcp_version: minor }));
        context.expect(
          "AHCP-VER-003",
          isAccepted(minorReply),
          `version ${minor} is not accepted: ${inShort(minorReply)}`,
          minorReply,
        );
        const major = `${1 + draw.number(10 ** (1 + draw.number(4)))}.${draw.number(20)}`;
        const majorReply = await post(context, createMessage(context, { ahcp_version: major }));
        const why = `version ${major} is not refused with 400 version_not_supported: ${inShort(majorReply)}`;
        context.expect("AHCP-VER-002", isRefused(majorReply, 400, "version_not_supported"), why, majorReply);
      }
    },
  },
];
