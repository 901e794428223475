import { isObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn, waitUntilDeadline } from "./deadline.ts";
import { ask, notify, task } from "./messages.ts";
import { cachedCapability, readPublished } from "./published.ts";
import { firstNotify } from "./serving.ts";
import { afterDeadline, cancel, idOf, inShort, isAccepted, post, read, readStored, submit } from "./steps.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** The clock is moved forward by at most this many days. */
const maxDays = 400;

/** The number of notifies to submit before the first one is read again. */
const extraCount = 20;

/** Scenarios about storage that do not move the clock. */
export const earlyKeepingScenarios: readonly Scenario[] = [
  {
    name: "keeping-first",
    says: "the first notify can be read after all later ones",
    rules: ["AHCP-GET-010"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const oldestNotify = firstNotify(context);
      if (oldestNotify === undefined) return context.skip("AHCP-GET-010", "no notify was accepted at first");
      const { retention_days: days } = await readPublished(context);
      if (typeof days !== "number") return context.skip("AHCP-GET-010", "the hub does not publish its retention_days");
      let lastId = oldestNotify.id;
      for (let count = 0; count < extraCount; count++) ({ id: lastId } = await submit(context, notify(context)));
      if (!isAccepted(await read(context, lastId)))
        return context.skip("AHCP-GET-010", "no notify can be read, not even immediately");
      const age = (await context.now()) - oldestNotify.at;
      if (age > days * dayMs - hourMs)
        return context.skip("AHCP-GET-010", `the first notify is older than ${days} days`);
      const reply = await read(context, oldestNotify.id);
      const why = `the first notify cannot be read after others have arrived: ${inShort(reply)}`;
      context.expect("AHCP-GET-010", isAccepted(reply), why);
    },
  },
];

/** Waits until the hub has noticed all passed deadlines. The wait is as long as for a message that expires now. */
async function letExpiriesShow(context: ScenarioContext): Promise<void> {
  const { members } = await deadlineIn(context, minuteMs);
  const { id } = await submit(context, ask(context, members));
  await context.pass(2 * minuteMs);
  await afterDeadline(context, id);
}

export const keepingScenarios: readonly Scenario[] = [
  {
    name: "keeping-keys",
    says: "a key is known for a day",
    rules: ["AHCP-IDM-006"],
    needs: ["clock"],
    withinMs: 30_000,
    async play(context) {
      const message = ask(context);
      const { id } = await submit(context, message);
      const isKnown = async (): Promise<boolean> => idOf(await post(context, message)) === id;
      if (!(await isKnown()))
        return context.skip("AHCP-IDM-006", "a repetition is not recognized, not even immediately");
      await context.pass(23 * hourMs);
      context.expect("AHCP-IDM-006", await isKnown(), "after 23 hours a key is forgotten");
    },
  },
  {
    name: "keeping-open",
    says: "a message without a deadline is open after an hour, a day, a week and a month",
    rules: ["AHCP-EXP-009"],
    needs: ["clock"],
    withinMs: 30_000,
    async play(context) {
      const { retention_days: days } = await cachedCapability(context);
      const retentionMs = typeof days === "number" && days <= maxDays ? days * dayMs - hourMs : 0;
      const storedMessages = [await submit(context, ask(context)), await submit(context, task(context))];
      const durations = [hourMs, dayMs, 7 * dayMs, retentionMs, 38 * dayMs].sort((left, right) => left - right);
      let age = 0;
      for (const time of durations.filter((duration) => duration > 0)) {
        await context.pass(time + minuteMs - age);
        age = time + minuteMs;
        if (time === durations.at(-1)) await letExpiriesShow(context);
        for (const { id } of storedMessages) {
          const reply = await read(context, id);
          const { status: httpStatus, json } = reply;
          const messageText = `after ${time / hourMs} hours a message without a deadline`;
          // The specification does not say how long open messages are stored, but it must be at least as long as for ended messages.
          const isGone = httpStatus === 410 && time <= retentionMs;
          context.expect(
            "AHCP-EXP-009",
            !isGone,
            `${messageText} is gone, although ${days} days are published: ${inShort(reply)}`,
          );
          context.expect("AHCP-EXP-009", httpStatus !== 404, `${messageText} is unknown: ${inShort(reply)}`, "SHOULD");
          if (httpStatus !== 200 || !isObject(json)) return;
          const why = `${messageText} is "${json.status}"`;
          context.expect("AHCP-EXP-009", json.status === "open", why);
        }
      }
    },
  },
  {
    name: "keeping-deadline",
    says: "an ask stays open until a deadline weeks ahead",
    rules: ["AHCP-EXP-003"],
    needs: ["clock"],
    withinMs: 30_000,
    async play(context) {
      const deadline = await deadlineIn(context, 20 * dayMs);
      const { id } = await submit(context, ask(context, deadline.members, { default_on_expire: "blue" }));
      await waitUntilDeadline(context, deadline, -dayMs);
      await letExpiriesShow(context);
      const { status: httpStatus, json } = await read(context, id);
      // The specification does not say how long open messages can be read.
      if (httpStatus !== 200 || !isObject(json)) return;
      const why = `a day before a deadline that was 20 days ahead the ask is "${json.status}"`;
      context.expect("AHCP-EXP-003", json.status === "open", why);
    },
  },
  {
    name: "keeping-messages",
    says: "an ended message can be read until the end of the published retention",
    rules: ["AHCP-GET-010"],
    needs: ["clock"],
    withinMs: 30_000,
    async play(context) {
      const { retention_days: days } = await readPublished(context);
      if (typeof days !== "number") return context.skip("AHCP-GET-010", "the hub does not publish its retention_days");
      const endedAsk = await submit(context, ask(context));
      await cancel(context, endedAsk.id);
      const submittedNotify = await submit(context, notify(context));
      const readableMessages = [];
      for (const [description, { id }] of [
        ["an ask that has ended", endedAsk],
        ["a notify", submittedNotify],
      ] as const)
        if (isAccepted(await read(context, id))) readableMessages.push({ what: description, id });
      if (readableMessages.length === 0)
        return context.skip("AHCP-GET-010", "no message can be read, not even immediately");
      if ((await readStored(context, endedAsk.id)).status !== "cancelled") readableMessages.shift();
      await context.pass(days * dayMs - hourMs);
      for (const { what: description, id } of readableMessages) {
        const reply = await read(context, id);
        const why = `an hour before the end of ${days} days ${description} cannot be read any more: ${inShort(reply)}`;
        context.expect("AHCP-GET-010", isAccepted(reply), why);
      }
    },
  },
];
