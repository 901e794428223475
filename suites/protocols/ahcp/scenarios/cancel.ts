import {
  equal,
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
} from "../../../../schemas/index.ts";
import { ask, notify, task } from "./messages.ts";
import { isAtomic } from "./race.ts";
import {
  cancel,
  inShort,
  isClientError,
  isRefused,
  isTaken,
  outcomeOf,
  read,
  red,
  resolve,
  resolved,
  similarTo,
  statusOf,
  stored,
  submit,
} from "./steps.ts";

/** What a cancellation that came too late names, and whether at the top. */
function named({ json }: HttpReply): { at: string; members: JsonObject } | undefined {
  const body: JsonObject = isObject(json) ? json : {};
  const error: JsonObject = isObject(body.error) ? body.error : {};
  const places: [at: string, members: Json | undefined][] = [
    ["", body],
    ["/error", error],
    ["/error/details", error.details],
  ];
  const found = places.find(([, members]) => isObject(members) && members.status !== undefined);
  return found === undefined ? undefined : { at: found[0], members: found[1] as JsonObject };
}

export const cancellation: readonly Scenario[] = [
  {
    name: "cancel-open",
    says: "the submitter can withdraw an open ask",
    rules: ["AHCP-CAN-001"],
    needs: [],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, ask(stage));
      const reply = await cancel(stage, id);
      const { json } = reply;
      const isSaid = reply.status === 200 && isObject(json) && json.id === id && json.status === "cancelled";
      stage.expect(
        "AHCP-CAN-001",
        isSaid,
        `cancelling ${id} is not answered with its id and status: ${inShort(reply)}`,
      );
      const status = await statusOf(stage, id);
      stage.expect("AHCP-CAN-001", status === "cancelled", `after it was cancelled, the ask is "${status}"`);
    },
  },
  {
    name: "cancel-foreign",
    says: "nobody else can withdraw an ask, or learn that it is there",
    rules: ["AHCP-CAN-002"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, ask(stage));
      const reply = await cancel(stage, id, "b");
      const isUnknown = isRefused(reply, 404, "not_found");
      stage.expect("AHCP-CAN-002", isUnknown, `to another agent the ask is not unknown: ${inShort(reply)}`);
      const status = await statusOf(stage, id);
      stage.expect("AHCP-CAN-002", status !== "cancelled", "another agent has cancelled the ask");
    },
  },
  {
    name: "cancel-late",
    says: "cancelling what has ended otherwise is a conflict that tells how it ended",
    rules: ["AHCP-CAN-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(stage) {
      for (const given of [red, { resolution: "declined" }]) {
        const { id } = await submit(stage, ask(stage));
        await resolved(stage, id, given);
        const reply = await cancel(stage, id);
        const { at, members } = named(reply) ?? { at: "", members: {} };
        const word = given.resolution ?? "";
        const isTold = members.id === id && members.status === word && members.resolution === word;
        const why = `cancelling what was ${word} is not answered 409 with id, status and resolution: ${inShort(reply)}`;
        stage.expect("AHCP-CAN-003", reply.status === 409 && isTold, why);
        if (isTold) stage.expect("AHCP-CAN-003", at === "", `id, status and resolution stand in ${at}`, "SHOULD");
      }
    },
  },
  {
    name: "cancel-again",
    says: "cancelling again changes nothing",
    rules: ["AHCP-CAN-004"],
    needs: [],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, ask(stage));
      const first = await cancel(stage, id);
      const before = outcomeOf(await stored(stage, id)).envelope.resolution_id ?? null;
      for (let times = 2; times <= 3; times++) {
        const again = await cancel(stage, id);
        const isSame = again.status === 200 && equal(again.json ?? null, first.json ?? null);
        stage.expect("AHCP-CAN-004", isSame, `cancelling again is not answered as before: ${inShort(again)}`);
        const after = outcomeOf(await stored(stage, id)).envelope.resolution_id ?? null;
        stage.expect(
          "AHCP-CAN-004",
          equal(after, before),
          `cancelling again made of the resolution_id ${before} a ${after}`,
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
    async play(stage) {
      const kinds: [message: JsonObject, status: string][] = [
        [task(stage), "open"],
        [notify(stage), "delivered"],
      ];
      for (const [message, before] of kinds) {
        const { id } = await submit(stage, message);
        const reply = await cancel(stage, id);
        const what = `a ${message.type}`;
        stage.expect("AHCP-CAN-005", isClientError(reply), `cancelling ${what} is not refused: ${inShort(reply)}`);
        const after = await read(stage, id);
        if (after.status !== 200) continue;
        const { status } = after.json as JsonObject;
        stage.expect("AHCP-CAN-005", status === before, `after a cancellation, ${what} is "${status}"`);
      }
    },
  },
  {
    name: "cancel-unknown",
    says: "there is nothing to cancel under an id that does not exist",
    rules: ["AHCP-CAN-006"],
    needs: [],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, ask(stage));
      for (const unknown of [similarTo(id), "__proto__"]) {
        const reply = await cancel(stage, unknown);
        const why = `cancelling the unknown id "${unknown}" is not answered 404 not_found: ${inShort(reply)}`;
        stage.expect("AHCP-CAN-006", isRefused(reply, 404, "not_found"), why);
      }
    },
  },
  {
    name: "cancel-race",
    says: "a cancellation and a resolution at once have one winner",
    rules: ["AHCP-CAN-007"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(stage) {
      if (!(await isAtomic(stage)))
        return stage.skip("AHCP-CAN-007", "resolutions alone have several winners, so that this race tells no more");
      for (let round = 0; round < 15; round++) {
        const { id } = await submit(stage, ask(stage));
        const cancelled = cancel(stage, id);
        if (round % 3 > 0) await new Promise((done) => setTimeout(done, round % 3));
        const [reply, { applied }] = await Promise.all([cancelled, resolve(stage, id, red)]);
        const status = await statusOf(stage, id);
        const isCancelled = isTaken(reply);
        const winners = Number(isCancelled) + Number(applied);
        stage.expect("AHCP-CAN-007", winners === 1, `of a cancellation and an answer at once ${winners} took effect`);
        const why = `the cancellation got HTTP ${reply.status}, and the ask is "${status}"`;
        stage.expect("AHCP-CAN-007", isCancelled === (status === "cancelled"), why);
        if (isCancelled) continue;
        const said = named(reply)?.members.status ?? status ?? null;
        const names = `the cancellation is told "${said}", and the ask is "${status}"`;
        stage.expect("AHCP-CAN-007", reply.status === 409 && said === status, names);
      }
    },
  },
];
