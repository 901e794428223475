import {
  type Callback,
  equal,
  isObject,
  missingNeeds,
  type Reaction,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { isSameUrl } from "../../../base/http/same-url.ts";
import {
  answerAttempts,
  areClockJumps,
  areGrowing,
  failures,
  measurePauses,
  measureRealGrowth,
  skipWithoutAllAttempts,
  tooQuickReason,
} from "./attempts.ts";
import { boundOf } from "./bounds.ts";
import { awaitDuePush, awaitFirstPush, judgeDue, morePushesArrive } from "./due-messages.ts";
import {
  askWithPush,
  awaitNextPush,
  bodyOf,
  movesAllPauses,
  movesPauses,
  noClockReason,
  pushNeeds,
  tooFarReason,
  waitForPushes,
} from "./pushes.ts";
import { inShort, outcomeOf, read, resolveMessage } from "./steps.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const twoDaysMs = 48 * hourMs;

/** More attempts than any bound allows. */
const maxAttempts = 200;

/** After a pause of this length, the suite does not wait for another attempt. */
const maxIntervalMs = 30 * 24 * hourMs;
const inDays = (milliseconds: number): number => milliseconds / (24 * hourMs);

/** Whether the hub gives up: then a silence is much longer than all earlier pauses. Undefined if its pauses grow beyond `maxIntervalMs`. */
async function detectGivingUp(context: ScenarioContext, callback: Callback): Promise<boolean | undefined> {
  let [lastTime, longestPauseMs] = [await context.now(), 0];
  while (callback.arrivals.length < maxAttempts) {
    if (longestPauseMs > maxIntervalMs) return undefined;
    // Begin with a step as long as the longest pause so far. Otherwise, 200 attempts would take many minutes.
    const firstStep = Math.max(hourMs, longestPauseMs);
    if ((await awaitNextPush(context, callback, Math.max(twoDaysMs, 4 * longestPauseMs), { firstStep })) === "never")
      return true;
    const now = await context.now();
    [lastTime, longestPauseMs] = [now, Math.max(longestPauseMs, now - lastTime)];
  }
  return false;
}

/** Waits until a failing push was attempted this many times. By then, the hub would have repeated the other pushes too. */
async function waitForAttempts(
  context: ScenarioContext,
  { callback }: { callback: Callback },
  count: number,
): Promise<void> {
  await awaitFirstPush(context, callback);
  await waitForPushes(context, callback, count, hourMs);
}

export const delivery: readonly Scenario[] = [
  {
    name: "delivery-push",
    says: "the outcome is posted to the exact URL, as JSON and signed",
    rules: ["AHCP-DLV-001"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 400_000,
    async play(context) {
      const callback = await context.callback([200], "/a/../b%7e%2Fc?z=1&a=2&a=%20%26");
      const { id } = await askWithPush(context, callback);
      await resolveMessage(context, id);
      const pushState = await awaitDuePush(context, callback);
      const [firstPush] = callback.arrivals;
      if (!judgeDue(context, "AHCP-DLV-001", pushState, "an ask is answered, but nothing reaches its callback")) return;
      if (firstPush === undefined) return;
      const { method, target, headers } = firstPush;
      const isCorrectUrl = isSameUrl(new URL(target, callback.url).href, callback.url);
      const why = `it is sent to ${target} instead of the given URL: ${callback.url}`;
      context.expect("AHCP-DLV-001", method === "POST", `it is sent with ${method}`);
      context.expect("AHCP-DLV-001", isCorrectUrl, why);
      // Like a browser, a hub may remove dot segments, but it must not change escapes.
      const isExactUrl = !isCorrectUrl || new URL(target, callback.url).href === new URL(callback.url).href;
      context.expect("AHCP-DLV-001", isExactUrl, `${why}, although it means the same`, "SHOULD");
      const type = headers["content-type"] ?? "";
      context.expect("AHCP-DLV-001", /^application\/(?:\S+\+)?json\b/i.test(type), `the push has the type "${type}"`);
      const { in_reply_to: inReplyTo } = bodyOf(firstPush);
      context.expect("AHCP-DLV-001", inReplyTo === id, `the push is not a Response to ${id}`);
      const isSigned = headers["ahcp-signature"] !== undefined;
      context.expect("AHCP-DLV-001", isSigned, "the push has no header AHCP-Signature");
    },
  },
  {
    name: "delivery-again",
    says: "a failed push is tried again",
    rules: ["AHCP-DLV-003"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const failureCases: [description: string, reaction: Reaction][] = [
        ...[500, 501, 502, 503, 504].map((status): [string, Reaction] => [`HTTP ${status}`, status]),
        ["HTTP 500 with half a body", { status: 500, half: true }],
        ["a connection that breaks", "reset"],
      ];
      const outcomes = await Promise.all(failureCases.map(([, reaction]) => answerAttempts(context, [reaction, 200])));
      for (const { callback } of outcomes) await awaitFirstPush(context, callback);
      // If one push is not repeated, waiting for the others is useless.
      for (const { callback } of outcomes) if (!(await waitForPushes(context, callback, 2, twoDaysMs))) break;
      const canMovePauses = await movesPauses(context);
      for (const [index, { callback }] of outcomes.entries()) {
        const isRepeated = callback.arrivals.length > 1;
        if (!isRepeated && !canMovePauses) return context.skip("AHCP-DLV-003", noClockReason);
        context.expect(
          "AHCP-DLV-003",
          isRepeated,
          `after ${failureCases[index]?.[0]} it is not tried again`,
          callback.arrivals[0],
        );
      }
    },
  },
  {
    name: "delivery-unanswered",
    slow: true,
    says: "a push that is not answered in time is tried again",
    rules: ["AHCP-DLV-003"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const { callback } = await answerAttempts(context, [{ status: 200, afterMs: hourMs }, 200]);
      const firstPush = await awaitFirstPush(context, callback);
      const canMovePauses = await movesPauses(context);
      if (canMovePauses) await context.pass(10 * minuteMs);
      for (let waitedMs = 0; waitedMs < 2 * minuteMs && firstPush.leftAt === undefined; waitedMs += 1000)
        if (await context.come(callback, 2, 1000)) break;
      const hasArrived = callback.arrivals.length > 1;
      if (!hasArrived && firstPush.leftAt === undefined)
        return context.skip("AHCP-DLV-003", "after two minutes it still waits for the answer of a callback");
      const isRepeated = hasArrived || (await waitForPushes(context, callback, 2, twoDaysMs));
      if (!isRepeated && !canMovePauses) return context.skip("AHCP-DLV-003", noClockReason);
      const why = "after a callback that did not answer in time it is not tried again";
      context.expect("AHCP-DLV-003", isRepeated, why, firstPush);
    },
  },
  {
    name: "delivery-attempts",
    slow: true,
    says: "a push is tried at least five times, at growing intervals, but not forever",
    rules: ["AHCP-DLV-004", "AHCP-DLV-006"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 900_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const { callback } = await answerAttempts(context, [500]);
      await awaitFirstPush(context, callback);
      const { gaps, areMoved } = await measurePauses(context, callback, 5, twoDaysMs);
      // Unless the hook declares that its clock moves all pauses, the next pause may pass in real time.
      const canMoveAllPauses = (await movesPauses(context)) && (await movesAllPauses(context));
      while (callback.arrivals.length < 5 && !canMoveAllPauses)
        if (!(await context.come(callback, callback.arrivals.length + 1, boundOf(context, "next-push")))) break;
      const attemptsBefore = callback.arrivals.length;
      if (attemptsBefore < 5 && !canMoveAllPauses && !areMoved) return context.skip("AHCP-DLV-004", noClockReason);
      context.expect(
        "AHCP-DLV-004",
        attemptsBefore >= 5,
        `it gives up after ${attemptsBefore} attempts`,
        callback.arrivals.at(-1),
      );
      if (attemptsBefore < 5) return;
      const isGrowingByClock = await areGrowing(context, { gaps, areMoved });
      const realTimeGrowth = areMoved ? await measureRealGrowth(context) : undefined;
      const isGrowing =
        isGrowingByClock ||
        (areMoved && (realTimeGrowth === undefined ? await areClockJumps(context, gaps) : realTimeGrowth !== "few"));
      const gapsText = `${gaps.join(", ")} ms`;
      if (isGrowingByClock === undefined)
        context.skip("AHCP-DLV-004", `${tooQuickReason}: ${gapsText}`, missingNeeds("clock"));
      // If attempts do not wait for the moved clock, their times on that clock depend on chance.
      else if (isGrowingByClock && realTimeGrowth !== undefined && realTimeGrowth !== "all")
        context.skip("AHCP-DLV-004", `${tooQuickReason}: ${gapsText} by the clock, but they do not wait for it`);
      else
        context.expect(
          "AHCP-DLV-004",
          isGrowing,
          `the pauses do not grow: ${gapsText}`,
          "SHOULD",
          callback.arrivals[attemptsBefore - 1],
        );
      if (!areMoved) return context.skip("AHCP-DLV-006", tooFarReason);
      const hasGivenUp = await detectGivingUp(context, callback);
      if (hasGivenUp === undefined)
        context.skip(
          "AHCP-DLV-006",
          `its pauses grow to ${inDays(maxIntervalMs)} days: waiting until it gives up would take too long`,
        );
      else context.expect("AHCP-DLV-006", hasGivenUp, `it still tries after ${maxAttempts} attempts`);
    },
  },
  {
    name: "delivery-refused",
    says: "a push that the callback refuses is not sent again",
    rules: ["AHCP-DLV-005", "AHCP-DLV-002"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 500_000,
    waits: 40_000,
    async play(context) {
      const rateLimited: Reaction = { status: 429, headers: { "retry-after": "1" } };
      const refusals: Reaction[] = [400, 401, 403, 404, 408, 409, 410, 413, 422, 425, rateLimited];
      const outcomes = await Promise.all(refusals.map((reaction) => answerAttempts(context, [reaction])));
      await waitForAttempts(context, await answerAttempts(context, [503, 200]), 2);
      for (const [index, { callback }] of outcomes.entries()) {
        await awaitFirstPush(context, callback);
        const isRepeated = await morePushesArrive(context, callback, 1, index === 0 ? hourMs : 1000);
        const reaction = refusals[index];
        const status = typeof reaction === "object" ? reaction.status : reaction;
        context.expect("AHCP-DLV-005", !isRepeated, `after HTTP ${status} it is sent again`, callback.arrivals.at(-1));
        const count = callback.arrivals.length;
        const nextAsk = await askWithPush(context, callback);
        await resolveMessage(context, nextAsk.id);
        const pushState = await awaitDuePush(context, callback, count + 1);
        const why = `after HTTP ${status} the next outcome is not pushed to that URL`;
        if (!judgeDue(context, "AHCP-DLV-002", pushState, why)) return;
      }
    },
  },
  {
    name: "delivery-shared",
    says: "each of several outcomes for the same URL arrives",
    rules: ["AHCP-DLV-002"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const callback = await context.callback([503, 503, 503, 200]);
      const ids: string[] = [];
      for (let count = 0; count < 3; count++) ids.push((await askWithPush(context, callback)).id);
      await Promise.all(ids.map((id) => resolveMessage(context, id)));
      await awaitFirstPush(context, callback);
      const canMovePauses = await movesPauses(context);
      const countMissing = (): number => {
        const deliveredIds = new Set(callback.arrivals.map((arrival) => bodyOf(arrival).in_reply_to));
        return ids.filter((id) => !deliveredIds.has(id)).length;
      };
      // Three attempts fail and three succeed, not counting repetitions.
      for (let count = 6; countMissing() > 0; count++)
        if (!(await waitForPushes(context, callback, count, twoDaysMs))) break;
      if (countMissing() > 0 && !canMovePauses) return context.skip("AHCP-DLV-002", noClockReason);
      context.expect(
        "AHCP-DLV-002",
        countMissing() === 0,
        `of 3 outcomes for one URL ${countMissing()} are not pushed`,
      );
    },
  },
  {
    name: "delivery-same",
    says: "a repeated push is identical",
    rules: ["AHCP-DLV-007"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const { callback } = await answerAttempts(context, failures);
      const firstPushBody = bodyOf(await awaitFirstPush(context, callback));
      await waitForPushes(context, callback, failures.length, twoDaysMs);
      const { resolution_id: firstResolutionId, ...firstBody } = firstPushBody;
      skipWithoutAllAttempts(context, callback, ["AHCP-DLV-007"]);
      for (const arrival of callback.arrivals.slice(1)) {
        const { resolution_id: id, ...laterBody } = bodyOf(arrival);
        if (id !== undefined && id !== firstResolutionId)
          context.skip(
            "AHCP-DLV-007",
            "an attempt has a different resolution_id than the first, which breaks AHCP-RSP-015",
          );
        context.expect(
          "AHCP-DLV-007",
          equal(laterBody, firstBody) && id !== undefined,
          "an attempt has a different body than the first",
          arrival,
        );
      }
    },
  },
  {
    name: "delivery-given-up",
    says: "an outcome that could not be delivered can be read",
    rules: ["AHCP-DLV-008"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 60_000,
    async play(context) {
      for (const reaction of [410, 500]) {
        const { id, callback } = await answerAttempts(context, [reaction]);
        await awaitFirstPush(context, callback);
        await morePushesArrive(context, callback, maxAttempts, (await movesPauses(context)) ? hourMs : minuteMs);
        const reply = await read(context, id);
        const isReadable =
          reply.status === 200 && isObject(reply.json) && outcomeOf(reply.json).envelope.resolution === "answered";
        const why = `after HTTP ${reaction} at the callback the outcome cannot be read: ${inShort(reply)}`;
        context.expect("AHCP-DLV-008", isReadable, why);
      }
    },
  },
  {
    name: "delivery-thanked",
    says: "a push that has arrived is not repeated",
    rules: ["AHCP-DLV-009"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 500_000,
    waits: 33_000,
    async play(context) {
      const reactions: Reaction[] = [204, { status: 200, afterMs: 300 }, 201, 202];
      const outcomes = await Promise.all(reactions.map((reaction) => answerAttempts(context, [reaction])));
      for (const { callback } of outcomes) await awaitFirstPush(context, callback);
      await waitForAttempts(context, await answerAttempts(context, [503, 503, 200]), 3);
      for (const [index, { callback }] of outcomes.entries()) {
        // At-least-once delivery permits a second push.
        await morePushesArrive(context, callback, 2, index === 0 ? 10 * minuteMs : 1000);
        const pushCount = callback.arrivals.length;
        context.expect(
          "AHCP-DLV-009",
          pushCount <= 2,
          `a push that the callback accepted immediately was sent ${pushCount} times`,
          callback.arrivals.at(-1),
        );
      }
    },
  },
];
