import {
  equal,
  type HttpReply,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { confirmFor } from "./confirms.ts";
import { type Deadline, deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { ask, task, tester } from "./messages.ts";
import {
  afterDeadline,
  cancel,
  idOf,
  inShort,
  isAccepted,
  isRefused,
  outcomeOf,
  post,
  type ResolverAnswer,
  readAs,
  redAnswer,
  resolve,
  statusOf,
  submit,
} from "./steps.ts";
import { checkLateCancel } from "./too-late.ts";

const hourMs = 3_600_000;

/** The maximum difference between two times. They may be in whole seconds, and the target's clock is only estimated. */
const clockErrorMs = 2000;

function isPastDeadlineRefused(reply: HttpReply): boolean {
  return isRefused(reply, 422, "invalid_field");
}

interface DueMessage {
  id: string;
  deadline: Deadline;
}

/** Submits a message with a deadline in the future. */
async function submitDue(
  context: ScenarioContext,
  createMessage: typeof ask,
  block: JsonObject = {},
): Promise<DueMessage> {
  const deadline = await deadlineIn(context, leadTime(context));
  const { id } = await submit(context, createMessage(context, deadline.members, block));
  return { id, deadline };
}

/** Waits until a message must have expired, and reads it. */
async function expireMessage(context: ScenarioContext, { id, deadline }: DueMessage): Promise<JsonObject> {
  await waitUntilDeadline(context, deadline, 1000);
  return afterDeadline(context, id);
}

/** Whether a reported time of expiry is between the deadline and now, as it must be. */
async function isBetweenDeadlineAndNow(
  context: ScenarioContext,
  reportedTime: Json | undefined,
  { time }: Deadline,
): Promise<boolean> {
  const at = Date.parse(String(reportedTime));
  return Number.isNaN(at) || (at >= time - clockErrorMs && at <= (await context.now()) + clockErrorMs);
}

/** Checks that a message without a default has expired, without a value and without a human actor. */
function checkNoValue(context: ScenarioContext, rule: string, message: JsonObject): void {
  const { envelope, inner } = outcomeOf(message);
  const { actor = "" } = inner;
  context.expect(rule, message.status === "expired", `11 s after its deadline the message is "${message.status}"`);
  if (message.status !== "expired") return;
  context.expect(rule, inner.value === undefined, `it expired with the value ${JSON.stringify(inner.value)}`);
  context.expect(rule, !String(actor).startsWith("human:"), `it expired, and the actor is "${actor}"`);
  const isSystemActor = actor === "" || String(actor).startsWith("system:");
  context.expect(rule, isSystemActor, `it expired, and the actor is "${actor}"`, "SHOULD");
  context.expect(
    rule,
    envelope.defaulted !== true,
    "it expired without a default, but is reported to have one",
    "SHOULD",
  );
}

/** After a deadline, only actions within this many milliseconds prove anything. Later, the hub may have swept: A-69 allows it 10 s. */
const promptMs = 7000;

/**
 * Repeats an action on new messages, shortly after their deadlines, until the hub answers promptly. `act` returns the delay of
 * the answer. Skips the rule after three late answers.
 */
async function actPromptly(context: ScenarioContext, rule: string, act: () => Promise<number>): Promise<void> {
  const delaysMs: number[] = [];
  do delaysMs.push(await act());
  while ((delaysMs.at(-1) ?? 0) > promptMs && delaysMs.length < 3);
  if ((delaysMs.at(-1) ?? 0) <= promptMs) return;
  const delaysText = delaysMs.map((delayMs) => `${(delayMs / 1000).toFixed(1)} s`).join(", ");
  const why = `the hub answered ${delaysText} after the deadlines: only within ${promptMs / 1000} s do actions show whether it checks the deadline`;
  context.skip(rule, why);
}

async function measureDelay(context: ScenarioContext, { time }: Deadline): Promise<number> {
  return (await context.now()) - time;
}

const form: JsonObject = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
const input: JsonObject = { mode: "input", schema: form };

/** Judges the answer to the cancellation of an ask 2 s after its deadline, and to a second cancellation. */
async function judgeLateCancel(context: ScenarioContext, id: string, reply: HttpReply): Promise<void> {
  const { status } = await afterDeadline(context, id);
  context.expect("AHCP-EXP-008", status === "expired", `cancelled 2 s after its deadline, the ask is "${status}"`);
  const isCancelled = reply.status === 200 && reply.text.includes("cancelled");
  const whyCancelled = `2 s after its deadline an ask is cancelled: ${inShort(reply)}`;
  context.expect("AHCP-EXP-008", !isCancelled, whyCancelled, reply);
  const whyAccepted = `a late cancellation is not refused: ${inShort(reply)}`;
  context.expect("AHCP-EXP-008", !isAccepted(reply), whyAccepted, "SHOULD", reply);
  if (status !== "expired" || isCancelled)
    return context.skip("AHCP-CAN-003", "without an expiry nothing has ended before the cancellation");
  checkLateCancel(context, reply, id, status);
  // The second answer must be the same.
  checkLateCancel(context, await cancel(context, id), id, status);
}

/** The answer is sent this many milliseconds before the deadline. */
const marginMs = 3000;

export const expiry: readonly Scenario[] = [
  {
    name: "expiry-past",
    says: "a deadline in the past is refused",
    rules: ["AHCP-EXP-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const now = await context.now();
      // Many programs treat the time 0, the first second of 1970, as absent.
      for (const text of ["1970-01-01T00:00:00Z", "2001-01-01T00:00:00Z", new Date(now - 5000).toISOString()]) {
        for (const createMessage of [ask, task]) {
          const reply = await post(context, createMessage(context, { expires_at: text }));
          const why = `the deadline ${text} is not refused with 422 invalid_field: ${inShort(reply)}`;
          context.expect("AHCP-EXP-001", isPastDeadlineRefused(reply), why);
        }
      }
      const members = {
        created_at: new Date(now - hourMs).toISOString(),
        expires_at: new Date(now - 5000).toISOString(),
      };
      // Any refusal is correct: a hub may refuse an hour-old message for its age, and the year 1 as implausible.
      for (const deadlineMembers of [members, { expires_at: "0001-01-01T00:00:00Z" }]) {
        const reply = await post(context, ask(context, deadlineMembers));
        const why = `the deadline ${deadlineMembers.expires_at} of an ask created ${"created_at" in deadlineMembers ? "before" : "after"} it is accepted: ${inShort(reply)}`;
        context.expect("AHCP-EXP-001", !isAccepted(reply), why);
      }
    },
  },
  {
    name: "expiry-in-time",
    says: "an answer before the deadline counts",
    rules: ["AHCP-EXP-003"],
    needs: ["resolve"],
    withinMs: 60_000,
    waits: 6000,
    async play(context) {
      const { id, deadline } = await submitDue(context, ask, { default_on_expire: "blue" });
      await waitUntilDeadline(context, deadline, -marginMs);
      const startedAt = performance.now();
      const { applied } = await resolve(context, id, redAnswer);
      const durationMs = performance.now() - startedAt;
      const status = await statusOf(context, id);
      if (durationMs > marginMs - 1500)
        return context.skip(
          "AHCP-EXP-003",
          `the answer took ${Math.round(durationMs)} ms, so it may have been too late`,
        );
      const why = `an answer ${marginMs / 1000} s before the deadline does not count: the ask is "${status}"`;
      context.expect("AHCP-EXP-003", applied && status === "answered", why);
    },
  },
  {
    name: "expiry-default",
    says: "a default is applied at the deadline, and marked as a default",
    rules: ["AHCP-EXP-005"],
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    async play(context) {
      const asks: [block: JsonObject, value: JsonObject[string]][] = [
        [{ default_on_expire: "blue" }, "blue"],
        [{ ...input, default_on_expire: { note: "none" } }, { note: "none" }],
        [{ ...(await confirmFor(context)), default_on_expire: "deny" }, "deny"],
        [{ default_on_expire: "blue", callback: { mode: "pull" } }, "blue"],
      ];
      // Submit all messages first. Then one wait is enough, which matters without a clock hook.
      const dueAsks: (DueMessage & { value: Json })[] = [];
      for (const [block, value] of asks) dueAsks.push({ ...(await submitDue(context, ask, block)), value });
      for (const { id, deadline, value } of dueAsks) {
        await waitUntilDeadline(context, deadline, 1000);
        const message = await afterDeadline(context, id);
        const { envelope, inner } = outcomeOf(message);
        const hasEnded = message.status === "expired";
        context.expect("AHCP-EXP-005", hasEnded, `11 s after its deadline the ask is "${message.status}"`);
        if (!hasEnded) continue;
        const isReported =
          envelope.resolution === "expired" &&
          envelope.defaulted === true &&
          inner.actor === "system:default_on_expire" &&
          equal(inner.value ?? null, value);
        const why = `the Response does not report that the default ${JSON.stringify(value)} applied: ${JSON.stringify(envelope)}`;
        context.expect("AHCP-EXP-005", isReported, why);
        const { resolved_at: at } = inner;
        const isPlausibleTime = await isBetweenDeadlineAndNow(context, at, deadline);
        const whyWrongTime = `the ask expired between ${deadline.text} and now, and the Response says ${at}`;
        context.expect("AHCP-EXP-005", isPlausibleTime, whyWrongTime, "SHOULD");
      }
    },
  },
  {
    name: "expiry-task",
    says: "a task expires without a value",
    rules: ["AHCP-EXP-007"],
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    async play(context) {
      checkNoValue(context, "AHCP-EXP-007", await expireMessage(context, await submitDue(context, task)));
    },
  },
  {
    name: "expiry-too-late",
    says: "an answer after the deadline has no effect",
    rules: ["AHCP-EXP-004"],
    needs: ["resolve"],
    withinMs: 60_000,
    waits: 8000,
    async play(context) {
      const lateCases: [createMessage: typeof ask, block: JsonObject, ending: JsonObject][] = [
        [ask, { default_on_expire: "blue" }, redAnswer],
        [ask, {}, redAnswer],
        [task, {}, { resolution: "completed" }],
      ];
      await actPromptly(context, "AHCP-EXP-004", async () => {
        // Submit all messages first. Then one wait is enough, which matters without a clock hook.
        const dueMessages: (DueMessage & { ending: JsonObject })[] = [];
        for (const [createMessage, block, ending] of lateCases)
          dueMessages.push({ ...(await submitDue(context, createMessage, block)), ending });
        const answers: [message: DueMessage, ending: JsonObject, answer: ResolverAnswer][] = [];
        let maxDelayMs = 0;
        for (const { id, deadline, ending } of dueMessages) {
          await waitUntilDeadline(context, deadline, 2000);
          answers.push([{ id, deadline }, ending, await resolve(context, id, ending)]);
          maxDelayMs = Math.max(maxDelayMs, await measureDelay(context, deadline));
        }
        for (const [{ id }, ending, { shown: evidence }] of answers) {
          const message = await afterDeadline(context, id);
          const { actor = "" } = outcomeOf(message).inner;
          const why = `once it was ${ending.resolution} after its deadline the ${message.type} is "${message.status}", and the actor "${actor}"`;
          const hasExpired = message.status === "expired" && actor !== tester;
          context.expect("AHCP-EXP-004", hasExpired, why, evidence, readAs(message));
        }
        return maxDelayMs;
      });
    },
  },
  {
    name: "expiry-without-default",
    says: "an ask without a default expires without a value",
    rules: ["AHCP-EXP-006"],
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    async play(context) {
      // Submit all messages first. Then one wait is enough, which matters without a clock hook.
      const dueAsks: DueMessage[] = [];
      for (const block of [{}, { default_on_expire: null }, input]) dueAsks.push(await submitDue(context, ask, block));
      for (const dueMessage of dueAsks) checkNoValue(context, "AHCP-EXP-006", await expireMessage(context, dueMessage));
    },
  },
  {
    name: "expiry-cancel",
    says: "a cancellation after the deadline has no effect",
    rules: ["AHCP-EXP-008", "AHCP-CAN-003"],
    needs: [],
    withinMs: 60_000,
    waits: 8000,
    async play(context) {
      await actPromptly(context, "AHCP-EXP-008", async () => {
        const { id, deadline } = await submitDue(context, ask, { default_on_expire: "blue" });
        await waitUntilDeadline(context, deadline, 2000);
        const reply = await cancel(context, id);
        const delayMs = await measureDelay(context, deadline);
        await judgeLateCancel(context, id, reply);
        return delayMs;
      });
    },
  },
  {
    name: "expiry-never",
    says: "a message without a deadline stays open",
    rules: ["AHCP-EXP-009"],
    needs: [],
    withinMs: 120_000,
    waits: 65_000,
    async play(context) {
      const ids = [await submit(context, ask(context)), await submit(context, task(context))].map(({ id }) => id);
      await context.pass(65_000);
      for (const id of ids) {
        const status = await statusOf(context, id);
        context.expect("AHCP-EXP-009", status === "open", `after 65 s a message without a deadline is "${status}"`);
      }
    },
  },
  {
    name: "expiry-clock",
    says: "deadlines follow the hub's clock, whatever created_at is",
    rules: ["AHCP-EXP-010"],
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    async play(context) {
      const deadline = await deadlineIn(context, leadTime(context));
      const ids: string[] = [];
      // If the hub counted from `created_at`, one ask would expire too early, and the other too late.
      for (const [day, offsetMs] of [
        ["tomorrow", 24 * hourMs],
        ["yesterday", -24 * hourMs],
      ] as const) {
        const createdAt = new Date(deadline.time + offsetMs).toISOString();
        const reply = await post(context, ask(context, { created_at: createdAt, expires_at: deadline.text }));
        const id = idOf(reply);
        const whyRefused = `an ask created ${day} is refused: ${inShort(reply)}`;
        context.expect("AHCP-EXP-010", isAccepted(reply), whyRefused);
        if (!isAccepted(reply) || id === undefined) return;
        ids.push(id);
      }
      // A hub may ignore the fraction, which is less than a second.
      const fineText = deadline.text.replace(/\.\d+Z$/, ".123456789Z");
      const fractionReply = await post(context, ask(context, { ...deadline.members, expires_at: fineText }));
      const remainingMs = deadline.time - (await context.now());
      for (const id of ids) {
        const statusBefore = await statusOf(context, id);
        const isEarly = remainingMs > 2000 && statusBefore !== "open";
        const whyEarly = `${Math.round(remainingMs / 1000)} s before its deadline the ask is "${statusBefore}"`;
        context.expect("AHCP-EXP-010", !isEarly, whyEarly);
      }
      await waitUntilDeadline(context, deadline, 1000);
      for (const id of ids) {
        const { status } = await afterDeadline(context, id);
        context.expect("AHCP-EXP-010", status === "expired", `11 s after its deadline the ask is "${status}"`);
        if (status !== "expired") return;
      }
      const fractionId = idOf(fractionReply);
      if (!isAccepted(fractionReply) || fractionId === undefined) return;
      const { status: fractionStatus } = await afterDeadline(context, fractionId);
      const why = `11 s after its deadline ${fineText} the ask is "${fractionStatus}"`;
      context.expect("AHCP-EXP-010", fractionStatus === "expired", why);
    },
  },
];
