import { equal, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn, reach } from "./deadline.ts";
import { ask, notify, task } from "./messages.ts";
import { isAtomic, isFinal } from "./race.ts";
import {
  cancel,
  essence,
  inShort,
  outcomeOf,
  read,
  red,
  resolve,
  resolved,
  statusOf,
  stored,
  submit,
} from "./steps.ts";

/** A word that cannot end a message: it is refused, and the message is what it was. */
async function mustNotEnd(stage: ScenarioContext, id: string, word: string, status: string): Promise<void> {
  const { applied } = await resolve(stage, id, { resolution: word });
  stage.expect("AHCP-LIF-001", !applied, `the hub took "${word}" from a resolver`);
  const now = await statusOf(stage, id);
  stage.expect("AHCP-LIF-001", applied || now === status, `"${word}" was refused, and yet the message became "${now}"`);
}

const strangeWords = ["expired", "open", "delivered", "resolved", "Answered"];

/** An answer that is on its way while the deadline passes, and what is read before and after it has arrived. */
async function raceDeadline(
  stage: ScenarioContext,
  pause: number,
): Promise<{ during: JsonObject; after: JsonObject; applied: boolean }> {
  const deadline = await deadlineIn(stage, 3_600_000);
  const { id } = await submit(stage, ask(stage, deadline.members, { default_on_expire: "blue" }));
  await stage.hook("clock", { at: new Date(deadline.time - 400).toISOString() });
  const answer = resolve(stage, id, red);
  const settled = answer.then(
    () => {},
    () => {},
  );
  await new Promise((done) => setTimeout(done, pause));
  await stage.pass(500);
  const during = await stored(stage, id);
  await settled;
  return { during, after: await stored(stage, id), applied: (await answer).applied };
}

export const lifecycle: readonly Scenario[] = [
  {
    name: "lifecycle-words",
    says: "a resolver ends a message by the words of its type and by no others",
    rules: ["AHCP-LIF-001"],
    needs: ["resolve"],
    withinMs: 60_000,
    async play(stage) {
      const asked = await submit(stage, ask(stage));
      for (const word of [...strangeWords, "completed", "dismissed"]) await mustNotEnd(stage, asked.id, word, "open");
      const to = await submit(stage, task(stage));
      for (const word of [...strangeWords, "cancelled"]) await mustNotEnd(stage, to.id, word, "open");
      const told = await submit(stage, notify(stage));
      for (const resolution of ["completed", "declined", "dismissed", "cancelled", "answered"]) {
        const value = resolution === "answered" ? { value: "red" } : {};
        const { applied } = await resolve(stage, told.id, { resolution, ...value });
        stage.expect("AHCP-LIF-001", !applied, `a notify was ${resolution} by a resolver`);
      }
      const permitted: [message: JsonObject, given: JsonObject][] = [
        [ask(stage), red],
        [ask(stage), { resolution: "declined" }],
        [task(stage), { resolution: "completed" }],
        [task(stage), { resolution: "dismissed" }],
      ];
      for (const [message, given] of permitted) {
        const { id } = await submit(stage, message);
        const { applied } = await resolve(stage, id, given);
        stage.expect("AHCP-LIF-001", applied, `the hub refuses "${given.resolution}" for ${message.type}`);
      }
    },
  },
  {
    name: "lifecycle-first",
    says: "the first end of a message stands for good",
    rules: ["AHCP-LIF-002"],
    needs: ["resolve"],
    withinMs: 60_000,
    waits: 21_000,
    async play(stage) {
      const deadline = await deadlineIn(stage, stage.has("clock") ? 3_600_000 : 8000);
      const { id } = await submit(stage, ask(stage, deadline.members, { default_on_expire: "blue" }));
      await resolved(stage, id, red);
      const first = essence(await stored(stage, id));
      const later: [what: string, step: () => Promise<unknown>][] = [
        ["another answer", () => resolve(stage, id, { resolution: "answered", value: "blue" })],
        ["a refusal", () => resolve(stage, id, { resolution: "declined" })],
        ["a cancellation", () => cancel(stage, id)],
        ["its deadline", () => reach(stage, deadline, 12_000)],
      ];
      for (const [what, step] of later) {
        await step();
        const now = essence(await stored(stage, id));
        const why = `an ask that was answered was changed by ${what}: ${JSON.stringify(first)} became ${JSON.stringify(now)}`;
        stage.expect("AHCP-LIF-002", equal(now, first), why);
      }
    },
  },
  {
    name: "lifecycle-race",
    says: "of many resolutions at once one takes effect",
    rules: ["AHCP-LIF-003"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(stage) {
      if (!(await isFinal(stage)))
        return stage.skip("AHCP-LIF-003", "one resolution after the other takes effect, so that a race tells no more");
      for (let round = 0; round < 10; round++) {
        const { id } = await submit(stage, ask(stage));
        const given = Array.from({ length: 8 }, (_, index) =>
          index % 2 === 0
            ? { resolution: "answered", value: index % 4 === 0 ? "red" : "blue" }
            : { resolution: "declined" },
        );
        const replies = await Promise.all(given.map((each) => resolve(stage, id, each)));
        const winners = given.filter((_, index) => replies[index]?.applied === true);
        const first = essence(await stored(stage, id));
        const [winner] = winners;
        const agrees = winner !== undefined && winner.resolution === first.status;
        stage.expect("AHCP-LIF-003", winners.length === 1, `${winners.length} of 8 resolutions at once took effect`);
        const why = `the winner was told "${winner?.resolution}", and the ask reads as "${first.status}"`;
        stage.expect("AHCP-LIF-003", winners.length !== 1 || agrees, why);
        const isSame = equal(essence(await stored(stage, id)), first);
        stage.expect("AHCP-LIF-003", isSame, "after many resolutions at once the outcome changes from read to read");
      }
    },
  },
  {
    name: "lifecycle-deadline-race",
    says: "when an answer and the deadline coincide, one of them takes effect for good",
    rules: ["AHCP-LIF-004"],
    needs: ["resolve", "clock"],
    withinMs: 120_000,
    async play(stage) {
      if (!(await isAtomic(stage)))
        return stage.skip("AHCP-LIF-004", "resolutions alone have several winners, so that this race tells no more");
      for (const pause of [0, 5, 20, 50, 100, 150]) {
        const { during, after, applied } = await raceDeadline(stage, pause);
        const [one, other] = [essence(during), essence(after)];
        const isOnce = during.status === "open" || equal(one, other);
        stage.expect("AHCP-LIF-004", isOnce, `an ask that was ${one.status} became ${other.status} later`);
        const isTold = !applied || after.status === "answered";
        stage.expect("AHCP-LIF-004", isTold, `the answer was taken, and the ask reads as "${after.status}"`);
      }
    },
  },
  {
    name: "lifecycle-cancelled",
    says: "a cancelled ask has a Response that says by whom and when",
    rules: ["AHCP-LIF-005"],
    needs: [],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, ask(stage));
      const reply = await cancel(stage, id);
      const message = await stored(stage, id);
      if (message.status !== "cancelled")
        return stage.skip("AHCP-LIF-005", `the ask is not cancelled: ${inShort(reply)}`);
      const { envelope, inner } = outcomeOf(message);
      const { actor, resolved_at: time } = inner;
      const isWhole = envelope.resolution === "cancelled" && typeof time === "string";
      stage.expect("AHCP-LIF-005", isWhole, "a cancelled ask has no Response with its resolution and time");
      if (!isWhole) return;
      const isHub = typeof actor === "string" && actor.startsWith("system:");
      const why = `the submitter cancelled, and the actor is "${actor}"`;
      stage.expect("AHCP-LIF-005", actor === `agent:${stage.agents.a}`, why, isHub ? "SHOULD" : undefined);
    },
  },
  {
    name: "lifecycle-notify",
    says: "a notify is delivered from the first and stays so",
    rules: ["AHCP-LIF-008"],
    needs: [],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, notify(stage));
      for (let reads = 1; reads <= 3; reads++) {
        const reply = await read(stage, id);
        if (reply.status !== 200) return stage.skip("AHCP-LIF-008", `the notify cannot be read: ${inShort(reply)}`);
        const { status } = reply.json as JsonObject;
        stage.expect("AHCP-LIF-008", status === "delivered", `at read ${reads} a notify is "${status}"`);
      }
    },
  },
];
