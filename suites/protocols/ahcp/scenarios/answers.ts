import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { ask, confirm, input as note, task } from "./messages.ts";
import {
  afterDeadline,
  cancel,
  idOf,
  isAccepted,
  outcomeOf,
  post,
  readStored,
  redAnswer,
  resolve,
  statusOf,
  submit,
} from "./steps.ts";

const form: JsonObject = {
  type: "object",
  properties: { note: { type: "string" }, count: { type: "number" } },
  required: ["note"],
};
const formWithEnum: JsonObject = { ...form, properties: { note: { type: "string", enum: ["red", "blue"] } } };
/** A form with bounds for its fields. */
const boundedInput: JsonObject = {
  type: "object",
  properties: {
    note: { type: "string", minLength: 2, pattern: "^[a-z]+$" },
    count: { type: "integer", minimum: 2, maximum: 9 },
  },
  required: ["note"],
};
const outOfBounds: JsonObject[] = [
  { note: "r" },
  { note: "red 1" },
  { note: "red", count: 1 },
  { note: "red", count: 10 },
  { note: "red", count: 2.5 },
];
const input: JsonObject = { mode: "input", schema: form, options: undefined as never };
/** A confirm with options instead of approve and deny. */
const confirmWithOptions: JsonObject = {
  mode: "confirm",
  options: [
    { value: "ship", label: "Ship it" },
    { value: "hold", label: "Hold it" },
  ],
};
/** Options that Unicode normalization to NFD would change. */
const composedOptions: JsonObject = { options: [{ value: "caf\u00e9", label: "Caf\u00e9" }] };
/** Options that look like numbers. */
const numberedOptions: JsonObject = {
  options: [
    { value: "1", label: "One" },
    { value: "0", label: "None" },
  ],
};
/** Options with an empty value. */
const emptyOptions: JsonObject = {
  options: [
    { value: "", label: "None" },
    { value: "red", label: "Red" },
  ],
};
/** Each mode, with a valid answer. */
const modes: [mode: string, block: JsonObject, answer: JsonObject][] = [
  ["select", {}, redAnswer],
  ["input", note, { resolution: "answered", value: { note: "x" } }],
  ["confirm", confirm, { resolution: "answered", value: "approve" }],
];

/** Gives each answer to a new ask. The hub must accept `good` ones and refuse `bad` ones. */
async function giveAnswers(
  context: ScenarioContext,
  rule: string,
  { block, good: goodValues, bad: badValues }: { block: JsonObject; good: readonly Json[]; bad: readonly Json[] },
): Promise<void> {
  for (const value of [...goodValues, ...badValues]) {
    const { id } = await submit(context, ask(context, {}, block));
    const { applied, shown: evidence } = await resolve(context, id, { resolution: "answered", value });
    const status = await statusOf(context, id);
    const isValid = goodValues.includes(value);
    const valueText = JSON.stringify(value);
    context.expect(
      rule,
      applied === isValid,
      `the answer ${valueText} is ${isValid ? "refused" : "accepted"}`,
      evidence,
    );
    const expectedStatus = isValid ? "answered" : "open";
    context.expect(
      rule,
      applied !== isValid || status === expectedStatus,
      `after the answer ${valueText} the ask is "${status}"`,
    );
  }
}

/** Gives an answer that looks empty, if the hub accepts the ask. */
async function mayAnswer(context: ScenarioContext, rule: string, block: JsonObject, value: Json): Promise<void> {
  const reply = await post(context, ask(context, {}, block));
  const id = idOf(reply);
  if (!isAccepted(reply) || id === undefined) return;
  const { applied, shown: evidence } = await resolve(context, id, { resolution: "answered", value });
  context.expect(
    rule,
    applied,
    `the answer ${JSON.stringify(value)} is refused although the ask allows it`,
    "SHOULD",
    evidence,
  );
}

/**
 * Answers with a number instead of the option with the same digits. The hook may convert the number to a string, but the
 * Response must not contain a number.
 */
async function answerWithNumber(
  context: ScenarioContext,
  rule: string,
  block: JsonObject,
  value: number,
): Promise<void> {
  const { id } = await submit(context, ask(context, {}, block));
  const { applied } = await resolve(context, id, { resolution: "answered", value });
  const storedValue = applied ? outcomeOf(await readStored(context, id)).inner.value : undefined;
  const why = `the number ${value} is accepted as the option "${value}", and the answer is ${JSON.stringify(storedValue)}`;
  context.expect(rule, storedValue === undefined || storedValue === `${value}`, why);
}

/** Checks in each mode that a permission of `false` forbids one outcome, and only that one. */
async function checkPermissions(context: ScenarioContext, rule: string, name: string): Promise<void> {
  for (const [mode, block, answer] of modes) {
    const [forbidden, permitted] = name === "allow_respond" ? [answer, declinedAnswer] : [declinedAnswer, answer];
    await checkPermission(context, rule, {
      name,
      askName: mode === "input" ? "an input" : `a ${mode}`,
      block,
      forbidden,
      permitted,
    });
  }
}

interface Permission {
  name: string;
  /** A description of the ask. */
  askName: string;
  block: JsonObject;
  forbidden: JsonObject;
  permitted: JsonObject;
}

async function checkPermission(
  context: ScenarioContext,
  rule: string,
  { name, askName, block, forbidden, permitted }: Permission,
): Promise<void> {
  const { id } = await submit(context, ask(context, {}, { ...block, permissions: { [name]: false } }));
  const { applied, status, shown: evidence } = await resolve(context, id, forbidden);
  const isRefusal = status === undefined || (Number(status) >= 400 && Number(status) < 500);
  const resolution = String(forbidden.resolution);
  context.expect(rule, !applied, `with ${name} false ${askName} can be ${resolution}`, evidence);
  if (applied) return;
  context.expect(rule, isRefusal, `with ${name} false "${resolution}" is refused with HTTP ${status}`, evidence);
  const statusAfter = await statusOf(context, id);
  context.expect(rule, statusAfter === "open", `after "${resolution}" was refused ${askName} is "${statusAfter}"`);
  const permittedResult = await resolve(context, id, permitted);
  const why = `with ${name} false ${askName} cannot be ${permitted.resolution}`;
  if (permittedResult.applied || (await isPossibleWithout(context, block, permitted)))
    return context.expect(rule, permittedResult.applied, why, permittedResult.shown);
  context.skip(rule, `${why}, nor can it without permissions`);
}

/** Whether an ask without `permissions` can have this outcome. */
async function isPossibleWithout(context: ScenarioContext, block: JsonObject, answer: JsonObject): Promise<boolean> {
  const { id } = await submit(context, ask(context, {}, block));
  return (await resolve(context, id, answer)).applied;
}

const declinedAnswer: JsonObject = { resolution: "declined" };

export const answeringScenarios: readonly Scenario[] = [
  {
    name: "answers-confirm",
    says: "a confirm without options is answered with approve or deny",
    rules: ["AHCP-ASK-007"],
    needs: ["resolve"],
    withinMs: 30_000,
    play: (context) =>
      giveAnswers(context, "AHCP-ASK-007", {
        block: confirm,
        good: ["approve", "deny"],
        bad: ["maybe", "Approve", "yes"],
      }),
  },
  {
    name: "answers-select",
    says: "a choice is answered with an offered option",
    rules: ["AHCP-ASK-008"],
    needs: ["resolve"],
    withinMs: 60_000,
    async play(context) {
      const similarValues = ["green", "Red", "red ", "Blue", "re", "blueish", "1"];
      await giveAnswers(context, "AHCP-ASK-008", { block: {}, good: ["red", "blue"], bad: similarValues });
      await giveAnswers(context, "AHCP-ASK-008", { block: composedOptions, good: ["caf\u00e9"], bad: ["cafe\u0301"] });
      await giveAnswers(context, "AHCP-ASK-008", {
        block: numberedOptions,
        good: ["1", "0"],
        bad: ["1.0", "01", "1 ", "1\n", "+1", "00", "", "2"],
      });
      await answerWithNumber(context, "AHCP-ASK-008", numberedOptions, 1);
      await mayAnswer(context, "AHCP-ASK-008", emptyOptions, "");
      await giveAnswers(context, "AHCP-ASK-008", {
        block: confirmWithOptions,
        good: ["ship"],
        bad: ["approve", "deny", "Ship it", "Hold it"],
      });
    },
  },
  {
    name: "answers-input",
    says: "a form accepts exactly the answers that satisfy it",
    rules: ["AHCP-ASK-009"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const validValues = [{ note: "x" }, { note: "", count: 1.5 }];
      await giveAnswers(context, "AHCP-ASK-009", {
        block: input,
        good: validValues,
        bad: [{ count: 1 }, { note: 7 }, "x", { note: "x", count: "1" }, { note: "x", count: null }],
      });
      const { id } = await submit(context, ask(context, {}, input));
      const answerWithExtraMember = { resolution: "answered", value: { note: "x", more: "y" } };
      const { applied, shown: evidence } = await resolve(context, id, answerWithExtraMember);
      const why = "an answer with a member that the form does not name is refused, although its schema allows it";
      context.expect("AHCP-ASK-009", applied, why, "SHOULD", evidence);
      await mayAnswer(context, "AHCP-ASK-009", { ...input, schema: { ...form, required: [] } }, {});
      // A hub may refuse asks with forms that are not this simple.
      for (const [block, badValues] of [
        [{ ...input, schema: formWithEnum }, [{ note: "green" }, { note: "Red" }]],
        [{ ...input, schema: { ...form, additionalProperties: false } }, [{ note: "x", more: "y" }]],
        [{ ...input, schema: boundedInput }, outOfBounds],
      ] as const)
        if (isAccepted(await post(context, ask(context, {}, block))))
          await giveAnswers(context, "AHCP-ASK-009", { block, good: [{ note: "red" }], bad: badValues });
    },
  },
  {
    name: "answers-not-permitted",
    says: "an ask with allow_respond false can only be declined",
    rules: ["AHCP-ASK-015"],
    needs: ["resolve"],
    withinMs: 30_000,
    play: (context) => checkPermissions(context, "AHCP-ASK-015", "allow_respond"),
  },
  {
    name: "answers-not-to-decline",
    says: "an ask with allow_ignore false can only be answered",
    rules: ["AHCP-ASK-016"],
    needs: ["resolve"],
    withinMs: 30_000,
    play: (context) => checkPermissions(context, "AHCP-ASK-016", "allow_ignore"),
  },
  {
    name: "answers-ignored",
    says: "an ask is never ignored",
    rules: ["AHCP-ASK-017"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      const { applied } = await resolve(context, id, { resolution: "ignored" });
      const status = await statusOf(context, id);
      const hasEnded = !applied || status !== "open";
      context.expect("AHCP-ASK-017", hasEnded, "an ask is ignored without being refused or declined, and stays open");
      const isPermittedStatus = status === "open" || status === "declined";
      context.expect("AHCP-ASK-017", isPermittedStatus, `an ask that was to be ignored is "${status}"`);
    },
  },
  {
    name: "answers-task-default",
    says: "a task has no default",
    rules: ["AHCP-TSK-004"],
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    async play(context) {
      const deadline = await deadlineIn(context, leadTime(context));
      const { id } = await submit(context, task(context, deadline.members, { default_on_expire: "done" }));
      await waitUntilDeadline(context, deadline, 1000);
      const message = await afterDeadline(context, id);
      const { inner } = outcomeOf(message);
      if (message.status === "open") return context.skip("AHCP-TSK-004", "11 s after its deadline the task is open");
      context.expect(
        "AHCP-TSK-004",
        message.status === "expired",
        `after its deadline the task is "${message.status}"`,
      );
      const valueText = JSON.stringify(inner.value);
      context.expect("AHCP-TSK-004", inner.value === undefined, `a task expires with the value ${valueText}`);
    },
  },
  {
    name: "answers-task-endings",
    says: "a task is completed or dismissed, and nothing else",
    rules: ["AHCP-TSK-005"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, task(context));
      const wrongOutcomes: JsonObject[] = [
        { resolution: "answered", value: "x" },
        declinedAnswer,
        { resolution: "cancelled" },
      ];
      for (const answer of wrongOutcomes) {
        const { applied, shown: evidence } = await resolve(context, id, answer);
        context.expect("AHCP-TSK-005", !applied, `a task can be ${answer.resolution}`, evidence);
      }
      // AHCP-CAN-005 tests the cancellation of a task.
      if (isAccepted(await cancel(context, id))) return;
      const status = await statusOf(context, id);
      context.expect(
        "AHCP-TSK-005",
        status === "open",
        `after an outcome that does not exist for tasks, the task is "${status}"`,
      );
      for (const resolution of ["completed", "dismissed"]) {
        const secondTask = await submit(context, task(context));
        const { applied, shown: evidence } = await resolve(context, secondTask.id, { resolution });
        context.expect("AHCP-TSK-005", applied, `a task cannot be ${resolution}`, evidence);
      }
    },
  },
];
