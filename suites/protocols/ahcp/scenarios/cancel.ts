import { equal, isObject, type JsonObject, missingNeeds, type Scenario } from "../../../../schemas/index.ts";
import { ask, notify, task } from "./messages.ts";
import { actTogether, hasOneWinnerAtOnce, RaceDelays } from "./race.ts";
import {
  cancel,
  inShort,
  isAccepted,
  isClientError,
  isRefused,
  outcomeOf,
  pathOf,
  read,
  readStored,
  redAnswer,
  resolve,
  resolveMessage,
  statusOf,
  submit,
} from "./steps.ts";
import { checkLateCancel, readTooLate } from "./too-late.ts";
import { isLikeUnknown, similarTo } from "./unknown-ids.ts";

export const cancellation: readonly Scenario[] = [
  {
    name: "cancel-open",
    says: "the submitter can withdraw an open ask",
    rules: ["AHCP-CAN-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      // If a hub wrongly caches reads, the later read shows this answer.
      await readStored(context, id);
      const reply = await cancel(context, id);
      const { json } = reply;
      const isConfirmed = reply.status === 200 && isObject(json) && json.id === id && json.status === "cancelled";
      context.expect(
        "AHCP-CAN-001",
        isConfirmed,
        `cancelling ${id} is not answered with its id and status: ${inShort(reply)}`,
      );
      const status = await statusOf(context, id);
      context.expect("AHCP-CAN-001", status === "cancelled", `after its cancellation, the ask is "${status}"`);
      if (!isConfirmed) return;
      // The specification does not mention a body. Cancelling must work with or without one, and should work with both.
      for (const [bodyKind, body] of [["an empty object", {}], ["no body"]] as const) {
        const { id: otherId } = await submit(context, ask(context));
        const request = { method: "POST", path: `${pathOf(otherId)}/cancel`, ...(body === undefined ? {} : { body }) };
        const reply = await context.send(request);
        const why = `an ask cannot be cancelled with ${bodyKind}, but can be cancelled otherwise: ${inShort(reply)}`;
        context.expect("AHCP-CAN-001", isAccepted(reply), why, "SHOULD");
      }
    },
  },
  {
    name: "cancel-foreign",
    says: "another agent can neither withdraw an ask nor learn that it exists",
    rules: ["AHCP-CAN-002"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      const reply = await cancel(context, id, "b");
      const isUnknown = isRefused(reply, 404, "not_found");
      context.expect(
        "AHCP-CAN-002",
        isUnknown,
        `another agent that cancels the ask does not get 404: ${inShort(reply)}`,
      );
      const status = await statusOf(context, id);
      context.expect("AHCP-CAN-002", status !== "cancelled", "another agent has cancelled the ask");
      if (status === "cancelled") return;
      const isSilent = !isUnknown || (await isLikeUnknown((otherId) => cancel(context, otherId, "b"), id, reply));
      const whyTextDiffers = `to another agent, the text about the ask differs from the text about an unknown one: ${inShort(reply)}`;
      context.expect("AHCP-CAN-002", isSilent, whyTextDiffers, "SHOULD");
      const endedIds = [id];
      await cancel(context, id);
      if (context.has("resolve")) {
        const answeredAsk = await submit(context, ask(context));
        await resolveMessage(context, answeredAsk.id);
        endedIds.push(answeredAsk.id);
      } else
        context.skip(
          "AHCP-CAN-002",
          "without a resolver, no answered ask is cancelled by another agent",
          missingNeeds("resolve"),
        );
      for (const endedId of endedIds) {
        const lateCancel = await cancel(context, endedId, "b");
        const why = `another agent that cancels an ended ask does not get 404: ${inShort(lateCancel)}`;
        context.expect("AHCP-CAN-002", isRefused(lateCancel, 404, "not_found"), why);
      }
    },
  },
  {
    name: "cancel-late",
    says: "cancelling an ask that has another outcome is a conflict that reports this outcome",
    rules: ["AHCP-CAN-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      for (const ending of [redAnswer, { resolution: "declined" }]) {
        const { id } = await submit(context, ask(context));
        await resolveMessage(context, id, ending);
        const reply = await cancel(context, id);
        checkLateCancel(context, reply, id, `${ending.resolution}`);
      }
    },
  },
  {
    name: "cancel-again",
    says: "cancelling again changes nothing",
    rules: ["AHCP-CAN-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      const firstCancel = await cancel(context, id);
      const firstResolutionId = outcomeOf(await readStored(context, id)).envelope.resolution_id ?? null;
      for (let attempt = 2; attempt <= 3; attempt++) {
        const repeatedCancel = await cancel(context, id);
        const isSame = repeatedCancel.status === 200 && equal(repeatedCancel.json ?? null, firstCancel.json ?? null);
        context.expect(
          "AHCP-CAN-004",
          isSame,
          `cancelling again is not answered as before: ${inShort(repeatedCancel)}`,
        );
        const laterResolutionId = outcomeOf(await readStored(context, id)).envelope.resolution_id ?? null;
        context.expect(
          "AHCP-CAN-004",
          equal(laterResolutionId, firstResolutionId),
          `cancelling again changed the resolution_id from ${firstResolutionId} to ${laterResolutionId}`,
        );
      }
    },
  },
  {
    name: "cancel-others",
    says: "neither a task nor a notify can be cancelled",
    rules: ["AHCP-CAN-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const messages: [message: JsonObject, status: string][] = [
        [task(context), "open"],
        [notify(context), "delivered"],
      ];
      for (const [message, expectedStatus] of messages) {
        const { id } = await submit(context, message);
        const reply = await cancel(context, id);
        const messageText = `a ${message.type}`;
        context.expect(
          "AHCP-CAN-005",
          isClientError(reply),
          `cancelling ${messageText} is not refused: ${inShort(reply)}`,
        );
        const laterRead = await read(context, id);
        if (laterRead.status !== 200) continue;
        const { status } = laterRead.json as JsonObject;
        context.expect(
          "AHCP-CAN-005",
          status === expectedStatus,
          `after a cancellation, ${messageText} is "${status}"`,
        );
      }
    },
  },
  {
    name: "cancel-unknown",
    says: "cancelling an unknown id is answered 404",
    rules: ["AHCP-CAN-006"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      for (const unknownId of [similarTo(id), "__proto__"]) {
        const reply = await cancel(context, unknownId);
        const why = `cancelling the unknown id "${unknownId}" is not answered 404 not_found: ${inShort(reply)}`;
        context.expect("AHCP-CAN-006", isRefused(reply, 404, "not_found"), why);
      }
    },
  },
  {
    name: "cancel-race",
    says: "only one of a cancellation and a simultaneous resolution takes effect",
    rules: ["AHCP-CAN-007"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(context) {
      if (!(await hasOneWinnerAtOnce(context)))
        return context.skip(
          "AHCP-CAN-007",
          "the hub applies more than one resolution to the same message, so this race cannot test the rule",
        );
      const delays = new RaceDelays();
      for (let round = 0; round < 24; round++) {
        const { id } = await submit(context, ask(context));
        const delay = delays.nextDelay();
        const racingActions = [() => cancel(context, id), () => resolve(context, id, redAnswer)] as const;
        const [reply, { applied, shown }] = await actTogether(delay, ...racingActions);
        const status = await statusOf(context, id);
        const isCancelled = isAccepted(reply);
        const winners = Number(isCancelled) + Number(applied);
        const winnersText = `${winners} of a simultaneous cancellation and answer took effect`;
        context.expect("AHCP-CAN-007", winners === 1, winnersText, reply, shown);
        const why = `the cancellation got HTTP ${reply.status}, and the ask is "${status}"`;
        context.expect("AHCP-CAN-007", isCancelled === (status === "cancelled"), why);
        delays.recordWinner(delay, isCancelled ? "first" : "second");
        if (isCancelled) continue;
        const reportedStatus = readTooLate(reply)?.members.status ?? status ?? null;
        const whyWrongStatus = `the cancellation gets "${reportedStatus}", and the ask is "${status}"`;
        context.expect("AHCP-CAN-007", reply.status === 409 && reportedStatus === status, whyWrongStatus, reply);
      }
      if (!delays.isContested)
        context.skip("AHCP-CAN-007", "when they arrived close together, the same one always won");
    },
  },
];
