import type { Scenario } from "../../../../schemas/index.ts";
import { answerAttempts, failures } from "./attempts.ts";
import { boundOf } from "./bounds.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { awaitFirstPush, morePushesArrive } from "./due-messages.ts";
import { ask } from "./messages.ts";
import {
  askWithPush,
  bodyOf,
  movesPauses,
  noClockReason,
  pushNeeds,
  pushRequestMembers,
  submitPush,
  waitForPushes,
} from "./pushes.ts";
import { isKnown, restart } from "./restarting.ts";
import { read, readStored, resolveMessage, statusOf } from "./steps.ts";

/** Scenarios about pushes after a restart. */
export const durablePushes: readonly Scenario[] = [
  {
    name: "durability-expiries",
    says: "a message that expires after a restart is pushed even if it is not read",
    rules: ["AHCP-DUR-006"],
    needs: [...pushNeeds, "restart"],
    withinMs: 500_000,
    waits: 40_000,
    async play(context) {
      const submitExpiring = async () => {
        const callback = await context.callback([200]);
        const deadline = await deadlineIn(context, leadTime(context));
        const message = ask(context, deadline.members, await pushRequestMembers(context, callback.url));
        await submitPush(context, message);
        const isPushed = async (): Promise<boolean> => {
          await waitUntilDeadline(context, deadline, 1000 + boundOf(context, "expiry"));
          return context.come(callback, 1, boundOf(context, "expiry"));
        };
        return isPushed;
      };
      const isControlPushed = await submitExpiring();
      if (!(await isControlPushed()))
        return context.skip("AHCP-DUR-006", "a message that expires is not pushed without a restart either");
      const isPushed = await submitExpiring();
      await restart(context);
      const why = `${(2 * boundOf(context, "expiry")) / 1000} s after its deadline, and after a restart before it, an unread ask is not pushed`;
      context.expect("AHCP-DUR-006", await isPushed(), why);
    },
  },
  {
    name: "durability-pushes",
    says: "a pending push is sent after a restart",
    rules: ["AHCP-DUR-004", "AHCP-DLV-005"],
    needs: [...pushNeeds, "restart", "resolve"],
    withinMs: 500_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const refusedPush = await answerAttempts(context, [400]);
      await awaitFirstPush(context, refusedPush.callback);
      const callback = await context.callback(failures);
      const { id } = await askWithPush(context, callback);
      await resolveMessage(context, id);
      const firstBody = bodyOf(await awaitFirstPush(context, callback));
      const wasRefusedOnce = refusedPush.callback.arrivals.length === 1;
      await restart(context);
      // Some attempts may have arrived before the restart. Only a later one proves that the push was resumed.
      const countBefore = callback.arrivals.length;
      if (!isKnown(await read(context, id)) || (await statusOf(context, id)) !== "answered")
        return context.skip("AHCP-DUR-004", "the outcome itself is gone");
      const hadAllAttempts = countBefore >= failures.length;
      const isResumed = hadAllAttempts || (await waitForPushes(context, callback, countBefore + 1, 48 * 3_600_000));
      // By now, or a little later, the hub would have repeated the refused push if the restart caused that.
      const wasRepeated = wasRefusedOnce && (await morePushesArrive(context, refusedPush.callback, 1, 1000));
      const why = "a push that a callback refused with HTTP 400 is sent again after a restart";
      if (wasRefusedOnce) context.expect("AHCP-DLV-005", !wasRepeated, why);
      if (hadAllAttempts) return context.skip("AHCP-DUR-004", "all attempts had arrived before the restart");
      if (!isResumed && !(await movesPauses(context))) return context.skip("AHCP-DUR-004", noClockReason);
      context.expect("AHCP-DUR-004", isResumed, "a pending push is forgotten at a restart");
      if (!isResumed || firstBody.resolution_id === undefined) return;
      // AHCP-RSP-015 tests whether attempts agree without a restart.
      const { resolution_id: shownId = null } = (await readStored(context, id)).response as { resolution_id?: string };
      if (shownId !== firstBody.resolution_id) return;
      const { resolution_id: pushedId } = bodyOf(callback.arrivals.at(-1));
      context.expect(
        "AHCP-DUR-004",
        pushedId === firstBody.resolution_id,
        "after a restart it is pushed under a different resolution_id",
      );
    },
  },
];
