import {
  type Callback,
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { answerAttempts, failures, skipWithoutAllAttempts } from "./attempts.ts";
import { verifiesPush } from "./callback-signature.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { awaitDuePush, awaitFirstPush, judgeDue, morePushesArrive, pushArrives } from "./due-messages.ts";
import { describeChange } from "./lost-messages.ts";
import { ask, notify, task } from "./messages.ts";
import {
  askWithPush,
  bodyOf,
  pushNeeds,
  pushRequestMembers,
  signatureOf,
  submitPush,
  verificationKeyFor,
  waitForPushes,
  withDefaultedMember,
} from "./pushes.ts";
import {
  cancel,
  codeOf,
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
  resolveMessage,
  submit,
} from "./steps.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** Whether the hub refuses to end a message again. If it does not, another rule reports that, and a second outcome is legitimate. */
async function refusesSecondEnding(context: ScenarioContext, id: string): Promise<boolean> {
  const { applied } = await resolve(context, id, { resolution: "declined" });
  return !applied && !isAccepted(await cancel(context, id));
}

export const outcomes: readonly Scenario[] = [
  {
    name: "outcomes-everywhere",
    says: "all attempts and reads show the same outcome with the same resolution_id",
    rules: ["AHCP-RSP-015", "AHCP-RSP-017", "AHCP-GET-012"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const ids: Json[] = [];
      const attemptsSent: Awaited<ReturnType<typeof answerAttempts>>[] = [];
      for (const [ending, sensitive] of [
        [redAnswer, false],
        [{ resolution: "declined" }, false],
        [{ ...redAnswer, comment: "Mind the gap." }, true],
      ] as const)
        attemptsSent.push(await answerAttempts(context, failures, ending, { state: { step: 1.5 }, sensitive }));
      for (const { id, callback } of attemptsSent) {
        await awaitFirstPush(context, callback);
        await waitForPushes(context, callback, failures.length, 48 * hourMs);
        skipWithoutAllAttempts(context, callback, ["AHCP-RSP-015", "AHCP-RSP-017"]);
        const { envelope } = outcomeOf(await readStored(context, id));
        await context.pass(1000);
        // Other rules test whether reads agree with each other.
        const isStable = equal(outcomeOf(await readStored(context, id)).envelope, envelope);
        const { resolution_id: resolutionId = null, payload_sha256: _, ...content } = withDefaultedMember(envelope);
        ids.push(resolutionId);
        for (const [index, arrival] of callback.arrivals.entries()) {
          const {
            resolution_id: pushedId = null,
            payload_sha256: digest,
            ...body
          } = withDefaultedMember(bodyOf(arrival));
          // The digest is signed, but must not be sent.
          context.expect(
            "AHCP-RSP-017",
            digest === undefined,
            `attempt ${index + 1} has payload_sha256 in its body`,
            arrival,
          );
          const why = `attempt ${index + 1} has the resolution_id ${pushedId}, but a read ${resolutionId}`;
          context.expect("AHCP-RSP-015", pushedId === resolutionId && resolutionId !== null, why, arrival);
          // AHCP-DLV-007 tests whether attempts differ.
          if (index > 0 || !isStable) continue;
          const differentNames = Object.keys({ ...content, ...body }).filter(
            (key) => !equal(content[key] ?? null, body[key] ?? null),
          );
          context.expect(
            "AHCP-GET-012",
            differentNames.length === 0,
            `push and read differ in ${differentNames.join(", ")}: ${describeChange(differentNames[0] && `/${differentNames[0]}`, body, content)}`,
            arrival,
          );
        }
      }
      context.expect("AHCP-RSP-015", new Set(ids).size === ids.length, "two outcomes have the same resolution_id");
    },
  },
  {
    name: "outcomes-unasked",
    says: "nothing is pushed unless the message asks for it",
    rules: ["AHCP-CBK-007"],
    needs: ["receiver", "development", "resolve"],
    withinMs: 400_000,
    waits: 37_000,
    async play(context) {
      const callback = await context.callback([200]);
      const pulls = [{ callback: { mode: "pull" } }, { callback: { mode: "pull", url: callback.url } }, {}];
      for (const block of pulls) {
        const { id } = await submit(context, ask(context, {}, block));
        await resolveMessage(context, id);
        const { resolution } = outcomeOf(await readStored(context, id)).envelope;
        const isRead = resolution === "answered";
        context.expect("AHCP-CBK-007", isRead, "the outcome of an ask without a push cannot be read");
      }
      const pull = { callback: { mode: "pull", url: callback.url } };
      const cancelledAsk = await submit(context, ask(context, {}, pull));
      await cancel(context, cancelledAsk.id);
      const deadline = await deadlineIn(context, leadTime(context));
      await submit(context, ask(context, deadline.members, pull));
      await waitUntilDeadline(context, deadline, 1000);
      const hasArrived = await morePushesArrive(context, callback, 0, 2 * minuteMs);
      const pushedResolution = bodyOf(callback.arrivals[0]).resolution ?? "";
      context.expect(
        "AHCP-CBK-007",
        !hasArrived,
        `the outcome "${pushedResolution}" of an ask with pull is pushed`,
        callback.arrivals[0],
      );
    },
  },
  {
    name: "outcomes-one",
    says: "a second outcome is never pushed",
    rules: ["AHCP-LIF-006"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 400_000,
    waits: 30_000,
    async play(context) {
      const callback = await context.callback([200]);
      const { id } = await askWithPush(context, callback);
      await resolveMessage(context, id);
      const first = bodyOf(await awaitFirstPush(context, callback));
      if (!(await refusesSecondEnding(context, id)))
        return context.skip("AHCP-LIF-006", "an answered ask can be ended again, so there is more than one outcome");
      await resolve(context, id, { resolution: "answered", value: "blue" });
      await morePushesArrive(context, callback, 1, 10 * minuteMs);
      for (const arrival of callback.arrivals) {
        const { resolution, resolution_id: resolutionId } = bodyOf(arrival);
        const whyOtherOutcome = `an answered ask is pushed as "${resolution}"`;
        context.expect("AHCP-LIF-006", resolution === "answered", whyOtherOutcome, arrival);
        const isSame = resolutionId === first.resolution_id;
        const why = "after a second outcome was refused, a different resolution_id is pushed";
        context.expect("AHCP-LIF-006", isSame, why, arrival);
      }
    },
  },
  {
    name: "outcomes-notify",
    says: "a notify is never answered",
    rules: ["AHCP-LIF-007"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 400_000,
    waits: 30_000,
    async play(context) {
      const callback = await context.callback([200]);
      const { id } = await submit(context, notify(context, await pushRequestMembers(context, callback.url)));
      for (const ending of [redAnswer, { resolution: "declined" }, { resolution: "completed" }]) {
        const { applied, shown } = await resolve(context, id, ending);
        context.expect("AHCP-LIF-007", !applied, `a notify can be ${ending.resolution}`, shown);
      }
      const hasArrived = await morePushesArrive(context, callback, 0, 2 * minuteMs);
      context.expect("AHCP-LIF-007", !hasArrived, "something is pushed for a notify", callback.arrivals[0]);
      const reply = await read(context, id);
      const hasNoResponse = !isObject(reply.json) || reply.json.response === undefined;
      context.expect("AHCP-LIF-007", hasNoResponse, "a notify is read with a Response");
    },
  },
  {
    name: "outcomes-cancelled",
    says: "a cancellation is pushed like any outcome",
    rules: ["AHCP-CAN-008"],
    needs: [...pushNeeds],
    withinMs: 400_000,
    waits: 30_000,
    async play(context) {
      const callback = await context.callback([200]);
      const { id } = await askWithPush(context, callback);
      const reply = await cancel(context, id);
      if (!isAccepted(reply)) return context.skip("AHCP-CAN-008", `the ask cannot be cancelled: ${inShort(reply)}`);
      const idBefore = outcomeOf(await readStored(context, id)).envelope.resolution_id;
      if (idBefore === undefined) return context.skip("AHCP-CAN-008", "a cancelled ask has no Response to push");
      if (!judgeDue(context, "AHCP-CAN-008", await awaitDuePush(context, callback), "a cancellation is not pushed"))
        return;
      await cancel(context, id);
      await morePushesArrive(context, callback, 1, 10 * minuteMs);
      const idAfter = outcomeOf(await readStored(context, id)).envelope.resolution_id;
      const [first] = callback.arrivals;
      const { resolution, resolution_id: resolutionId } = bodyOf(first);
      context.expect("AHCP-CAN-008", resolution === "cancelled", `a cancellation is pushed as "${resolution}"`, first);
      const hasSignature = first?.headers["ahcp-signature"] !== undefined;
      context.expect("AHCP-CAN-008", hasSignature, "a cancellation is pushed without a signature", first);
      if (idBefore !== idAfter) return;
      for (const arrival of callback.arrivals.slice(1)) {
        const isSame = bodyOf(arrival).resolution_id === resolutionId;
        context.expect("AHCP-CAN-008", isSame, "a cancellation is pushed under several resolution_ids", arrival);
      }
    },
  },
  {
    name: "outcomes-own-callback",
    says: "an outcome is sent only to the callback of its own message",
    rules: ["AHCP-AUT-006"],
    needs: [...pushNeeds, "resolve", "second-credential"],
    withinMs: 400_000,
    async play(context) {
      const key = { idempotency_key: context.fresh("key") };
      const ownCallbacks: { id: string; callback: Callback }[] = [];
      for (const as of ["a", "b"] as const) {
        const callback = await context.callback([200]);
        const message = ask(context, key, await pushRequestMembers(context, callback.url));
        const agent = { ...(message.agent as JsonObject), id: context.agents[as] ?? "" };
        ownCallbacks.push({ ...(await submitPush(context, { ...message, agent }, as)), callback });
      }
      for (const { id } of ownCallbacks) await resolveMessage(context, id);
      for (const { callback } of ownCallbacks) await pushArrives(context, callback);
      for (const { id, callback } of ownCallbacks) {
        const strayPush = callback.arrivals.find((arrival) => bodyOf(arrival).in_reply_to !== id);
        const why = `the callback of ${id} gets the outcome of ${bodyOf(strayPush).in_reply_to}`;
        context.expect("AHCP-AUT-006", strayPush === undefined, why, strayPush);
      }
    },
  },
  {
    name: "outcomes-old-version",
    says: "a message of a version before 0.3 is not pushed with the signature of 0.3",
    rules: ["AHCP-VER-005", "AHCP-VER-003"],
    needs: [...pushNeeds, "resolve", "key"],
    withinMs: 400_000,
    waits: 30_000,
    async play(context) {
      for (const [version, createMessage] of [
        ["0.2", ask],
        ["0.2", task],
        ["0.1", ask],
        ["0.0", task],
      ] as const) {
        const callback = await context.callback([200]);
        await askWithPush(context, callback);
        const oldMessage = createMessage(
          context,
          { ahcp_version: version },
          await pushRequestMembers(context, callback.url),
        );
        const reply = await post(context, oldMessage);
        const id = idOf(reply);
        if (!isAccepted(reply) || id === undefined) {
          const isExpectedRefusal = isRefused(reply, 400, "version_not_supported");
          const why = `a push to version ${version} is refused, but not with 400 version_not_supported: ${inShort(reply)}`;
          context.expect("AHCP-VER-005", isExpectedRefusal, why, "SHOULD");
          continue;
        }
        await resolveMessage(context, id, createMessage === task ? { resolution: "completed" } : undefined);
        await morePushesArrive(context, callback, 0, minuteMs);
        const [first] = callback.arrivals;
        const signature = signatureOf(first);
        const hasNewSignature =
          signature !== undefined &&
          verifiesPush(bodyOf(first), callback.url, signature, await verificationKeyFor(context, callback));
        context.expect(
          "AHCP-VER-005",
          !hasNewSignature,
          `a message of version ${version} is pushed with the signature of 0.3`,
          first,
        );
      }
      const { url } = await context.callback([200]);
      const laterVersion = ask(context, { ahcp_version: "0.10" }, await pushRequestMembers(context, url));
      const reply = await post(context, laterVersion);
      const why = `a push to version 0.10 is refused as if it came before 0.3: ${inShort(reply)}`;
      context.expect("AHCP-VER-003", codeOf(reply) !== "version_not_supported", why);
    },
  },
];
