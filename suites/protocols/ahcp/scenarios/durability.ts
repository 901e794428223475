import { equal, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { findsConflicts, isKeyConflict } from "./conflicts.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import {
  describeOutcomeChange,
  findChangedMember,
  mixMessages,
  richMembers,
  submitKeyedMessages,
} from "./kept-messages.ts";
import { describeChange } from "./lost-messages.ts";
import { ask, notify, task } from "./messages.ts";
import { fitMessage } from "./published.ts";
import { goneReason, isKnown, restart } from "./restarting.ts";
import {
  afterDeadline,
  cancel,
  idOf,
  inShort,
  isAccepted,
  isRefused,
  outcomeOf,
  post,
  read,
  readStored,
  redAnswer,
  resolve,
  statusOf,
  submit,
} from "./steps.ts";

const sizeOf = (message: JsonObject = {}): number => JSON.stringify(message).length;

export const durability: readonly Scenario[] = [
  {
    name: "durability-messages",
    says: "messages and their outcomes survive a restart",
    rules: ["AHCP-DUR-001", "AHCP-DUR-002", "AHCP-DUR-003", "AHCP-RES-003"],
    needs: ["restart", "resolve"],
    withinMs: 120_000,
    async play(context) {
      const { open: openMessages, ended: endedMessages } = await mixMessages(context);
      const notifySubmit = await submit(context, notify(context, await fitMessage(context, richMembers)));
      const firstReads = new Map<string, JsonObject>();
      for (const { id } of [...openMessages, ...endedMessages]) firstReads.set(id, await readStored(context, id));
      const firstRead = await read(context, notifySubmit.id);
      await restart(context);
      let areAllOpen = true;
      for (const { id } of openMessages) {
        const reply = await read(context, id);
        const isOpen = isObject(reply.json) && reply.json.status === "open";
        areAllOpen &&= isOpen;
        context.expect(
          "AHCP-DUR-001",
          isOpen,
          `after a restart an open message of ${sizeOf(firstReads.get(id))} characters is ${inShort(reply)}`,
        );
        if (!isOpen) continue;
        const changedMember = findChangedMember(reply.json as JsonObject, firstReads.get(id) ?? {});
        context.expect(
          "AHCP-DUR-001",
          changedMember === undefined,
          `after a restart an open message is read without the ${changedMember} that it had: ${describeChange(changedMember, reply.json, firstReads.get(id) ?? {})}`,
        );
        const ending = firstReads.get(id)?.type === "task" ? { resolution: "completed" } : redAnswer;
        const unlistedAnswer = await resolve(context, id, { ...ending, actor: "human:stranger" });
        const whyAdmitted = "after a restart an agent resolves a message that lists other resolvers";
        context.expect("AHCP-RES-003", !unlistedAnswer.applied, whyAdmitted, unlistedAnswer.shown);
        // AHCP-RES-007 tests whether a refused request changes anything.
        if (unlistedAnswer.applied || (await statusOf(context, id)) !== "open") continue;
        const answered = await resolve(context, id, ending);
        const whyStuck = "after a restart an open message cannot be resolved";
        context.expect("AHCP-DUR-001", answered.applied, whyStuck, answered.shown);
      }
      for (const { id } of endedMessages) {
        const reply = await read(context, id);
        if (!isKnown(reply) && !areAllOpen) context.skip("AHCP-DUR-002", goneReason);
        else {
          const why = `after a restart an outcome is read as ${inShort(reply)}`;
          context.expect("AHCP-DUR-002", isKnown(reply), why);
          if (!isKnown(reply)) continue;
          const change = describeOutcomeChange(reply.json as JsonObject, firstReads.get(id) ?? {});
          context.expect("AHCP-DUR-002", change === undefined, `after a restart an outcome has changed: ${change}`);
        }
      }
      if (!isKnown(firstRead)) return context.skip("AHCP-DUR-003", "a notify cannot be read without a restart either");
      const reply = await read(context, notifySubmit.id);
      context.expect("AHCP-DUR-003", isKnown(reply), `after a restart a notify is read as ${inShort(reply)}`);
      if (!isKnown(reply)) return;
      const changedMember = findChangedMember(reply.json as JsonObject, firstRead.json as JsonObject);
      context.expect(
        "AHCP-DUR-003",
        changedMember === undefined,
        `after a restart a notify is read without the ${changedMember} that it had: ${describeChange(changedMember, reply.json, firstRead.json ?? {})}`,
      );
    },
  },
  {
    name: "durability-ids",
    says: "after a restart, ids of messages and outcomes are not reused",
    rules: ["AHCP-ACK-005", "AHCP-RSP-015"],
    needs: ["restart"],
    withinMs: 120_000,
    async play(context) {
      const ids: string[] = [];
      const resolutionIds: Json[] = [];
      for (let restartCount = 1; restartCount <= 2; restartCount++) {
        await restart(context);
        for (let count = 0; count < 3; count++) {
          const { id } = await submit(context, notify(context));
          const why = `after a restart a new message gets the id ${id}, which another message got after the previous restart`;
          context.expect("AHCP-ACK-005", !ids.includes(id), why);
          ids.push(id);
        }
        const { id } = await submit(context, ask(context));
        await cancel(context, id);
        const { resolution_id: resolutionId } = outcomeOf(await readStored(context, id)).envelope;
        // AHCP-LIF-005 tests whether a cancellation has an outcome.
        if (resolutionId === undefined) continue;
        const whySame = `after a restart an outcome gets the resolution_id ${resolutionId} of another outcome`;
        context.expect("AHCP-RSP-015", !resolutionIds.includes(resolutionId), whySame);
        resolutionIds.push(resolutionId);
      }
    },
  },
  {
    name: "durability-keys",
    says: "repetitions and conflicts are recognized after a restart",
    rules: ["AHCP-DUR-005"],
    needs: ["restart"],
    withinMs: 60_000,
    async play(context) {
      const keyedMessages = await submitKeyedMessages(context);
      if (keyedMessages.length === 0)
        return context.skip("AHCP-DUR-005", "a repetition is not known without a restart either");
      const canFindConflicts = await findsConflicts(context);
      await restart(context);
      for (const { what: description, message, id, level } of keyedMessages) {
        if (!isKnown(await read(context, id))) {
          context.skip("AHCP-DUR-005", goneReason);
          continue;
        }
        const repetition = await post(context, message);
        const why = `after a restart the repetition of ${description}, ${id}, is answered with ${inShort(repetition)}`;
        context.expect("AHCP-DUR-005", idOf(repetition) === id, why, level);
        if (!canFindConflicts || level !== undefined || idOf(repetition) !== id) continue;
        const changedReply = await post(context, { ...message, title: context.fresh("other") });
        const whyNotConflict = `after a restart another message under the key of ${description} is not a conflict: ${inShort(changedReply)}`;
        context.expect("AHCP-DUR-005", isKeyConflict(changedReply), whyNotConflict);
      }
    },
  },
  {
    name: "durability-cancelled",
    says: "cancelling again after a restart is answered as before",
    rules: ["AHCP-CAN-004"],
    needs: ["restart"],
    withinMs: 60_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      const [firstCancel, secondCancel] = [await cancel(context, id), await cancel(context, id)];
      if (!isAccepted(secondCancel))
        return context.skip("AHCP-CAN-004", "an ask cannot be cancelled again without a restart either");
      await restart(context);
      const { status, json } = await read(context, id);
      const isStillCancelled = status === 200 && isObject(json) && json.status === "cancelled";
      if (!isStillCancelled) return context.skip("AHCP-CAN-004", "the cancellation is gone");
      const repetition = await cancel(context, id);
      const isSame = repetition.status === 200 && equal(repetition.json ?? null, firstCancel.json ?? null);
      const why = `after a restart, cancelling again is not answered as before: ${inShort(repetition)}`;
      context.expect("AHCP-CAN-004", isSame, why);
    },
  },
  {
    name: "durability-deadlines",
    says: "a deadline takes effect even after a restart",
    rules: ["AHCP-DUR-002", "AHCP-DUR-006", "AHCP-EXP-005"],
    needs: ["restart"],
    withinMs: 120_000,
    waits: 14_000,
    async play(context) {
      const earlierDeadline = await deadlineIn(context, leadTime(context));
      const expiredAsk = await submit(context, ask(context, earlierDeadline.members));
      await waitUntilDeadline(context, earlierDeadline, 1000);
      const expiredBefore = await afterDeadline(context, expiredAsk.id);
      const isStableWithoutRestart =
        describeOutcomeChange(await readStored(context, expiredAsk.id), expiredBefore) === undefined;
      const deadline = await deadlineIn(context, leadTime(context));
      const pendingMessages = [
        await submit(context, ask(context, deadline.members, { default_on_expire: "blue" })),
        await submit(context, task(context, deadline.members)),
      ];
      await restart(context);
      const reply = await read(context, expiredAsk.id);
      if (!isKnown(reply) || expiredBefore.status !== "expired")
        context.skip("AHCP-DUR-002", "no expired message is stored");
      else if (!isStableWithoutRestart)
        context.skip("AHCP-DUR-002", "an expired message changes without a restart, too");
      else {
        const change = describeOutcomeChange(reply.json as JsonObject, expiredBefore);
        context.expect(
          "AHCP-DUR-002",
          change === undefined,
          `after a restart an expired message has changed: ${change}`,
        );
      }
      for (const { id } of pendingMessages) {
        if (!isKnown(await read(context, id))) {
          context.skip("AHCP-DUR-006", goneReason);
          continue;
        }
        await waitUntilDeadline(context, deadline, 1000);
        const message = await afterDeadline(context, id);
        const { status, type } = message;
        const why = `after a restart and its deadline the ${type} is "${status}"`;
        context.expect("AHCP-DUR-006", status === "expired", why);
        if (status !== "expired" || type !== "ask") continue;
        const { value = null } = outcomeOf(message).inner;
        const whyWrongDefault = `after a restart an ask with the default "blue" expires with ${JSON.stringify(value)}`;
        context.expect("AHCP-EXP-005", value === "blue", whyWrongDefault);
      }
    },
  },
  {
    name: "durability-deletions",
    says: "a deleted message is still gone after a restart",
    rules: ["AHCP-GET-006"],
    needs: ["restart", "delete"],
    withinMs: 60_000,
    async play(context) {
      const [{ id }, keptAsk] = [await submit(context, ask(context)), await submit(context, ask(context))];
      for (const askId of [id, keptAsk.id]) await cancel(context, askId);
      await context.hook("delete", { id });
      if ((await read(context, id)).status !== 410)
        return context.skip("AHCP-GET-006", "a deleted message is not gone without a restart either");
      await restart(context);
      if (!isKnown(await read(context, keptAsk.id)))
        return context.skip("AHCP-GET-006", "a message that was not deleted is gone as well");
      const reply = await read(context, id);
      const why = `after a restart a deleted message is not gone: ${inShort(reply)}`;
      context.expect("AHCP-GET-006", isRefused(reply, 410, "gone"), why);
    },
  },
];
