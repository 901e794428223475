import { equal, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { ask, notify, task, tester } from "./messages.ts";
import { hasOneWinnerAtOnce, hasOneWinnerInSequence } from "./race.ts";
import {
  cancel,
  essence,
  idOf,
  inShort,
  outcomeOf,
  post,
  type ResolverAnswer,
  read,
  readAs,
  readStored,
  redAnswer,
  resolve,
  statusOf,
  submit,
} from "./steps.ts";

/** Tries a word that cannot end a message: it is refused, and the message stays unchanged. */
async function mustNotEnd(context: ScenarioContext, id: string, word: string, status: string): Promise<void> {
  const { applied, shown } = await resolve(context, id, { resolution: word });
  context.expect("AHCP-LIF-001", !applied, `the hub accepted "${word}" from a resolver`, shown);
  const now = await statusOf(context, id);
  context.expect(
    "AHCP-LIF-001",
    applied || now === status,
    `"${word}" was refused, and yet the message became "${now}"`,
  );
}

const invalidWords = ["expired", "open", "delivered", "resolved", "Answered"];

/** An answer around a deadline, and the reads before and after its arrival. */
async function raceDeadline(
  context: ScenarioContext,
  pause: number,
): Promise<{ during: JsonObject; after: JsonObject; resolved: ResolverAnswer }> {
  const deadline = await deadlineIn(context, 3_600_000);
  const { id } = await submit(context, ask(context, deadline.members, { default_on_expire: "blue" }));
  await context.hook("clock", { at: new Date(deadline.time - 400).toISOString() });
  const answer = resolve(context, id, redAnswer);
  const settledAnswer = answer.then(
    () => {},
    () => {},
  );
  await new Promise((resolve) => setTimeout(resolve, pause));
  await context.pass(500);
  const during = await readStored(context, id);
  await settledAnswer;
  return { during, after: await readStored(context, id), resolved: await answer };
}

export const lifecycle: readonly Scenario[] = [
  {
    name: "lifecycle-words",
    says: "a resolver ends a message only with the words of its type",
    rules: ["AHCP-LIF-001"],
    needs: ["resolve"],
    withinMs: 60_000,
    async play(context) {
      const openAsk = await submit(context, ask(context));
      for (const word of [...invalidWords, "completed", "dismissed"])
        await mustNotEnd(context, openAsk.id, word, "open");
      const to = await submit(context, task(context));
      for (const word of [...invalidWords, "cancelled"]) await mustNotEnd(context, to.id, word, "open");
      const notified = await submit(context, notify(context));
      // A message that lists no resolvers would be resolved by its submitter, if it were open to all.
      for (const actor of [tester, `agent:${context.agents.a}`])
        for (const resolution of ["completed", "declined", "dismissed", "cancelled", "answered"]) {
          const value = resolution === "answered" ? { value: "red" } : {};
          const { applied, shown } = await resolve(context, notified.id, { resolution, ...value, actor });
          context.expect("AHCP-LIF-001", !applied, `a notify was ${resolution} by ${actor}`, shown);
        }
      const permittedEndings: [message: JsonObject, ending: JsonObject][] = [
        [ask(context), redAnswer],
        [ask(context), { resolution: "declined" }],
        [task(context), { resolution: "completed" }],
        [task(context), { resolution: "dismissed" }],
      ];
      for (const [message, ending] of permittedEndings) {
        const { id } = await submit(context, message);
        const { applied, shown } = await resolve(context, id, ending);
        context.expect("AHCP-LIF-001", applied, `the hub refuses "${ending.resolution}" for ${message.type}`, shown);
      }
    },
  },
  {
    name: "lifecycle-race",
    says: "one of many simultaneous resolutions has an effect",
    rules: ["AHCP-LIF-003"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(context) {
      if (!(await hasOneWinnerInSequence(context)))
        return context.skip("AHCP-LIF-003", "several sequential resolutions have an effect, so a race shows no more");
      for (let round = 0; round < 10; round++) {
        const { id } = await submit(context, ask(context));
        const ending = Array.from({ length: 8 }, (_, index) =>
          index % 2 === 0
            ? { resolution: "answered", value: index % 4 === 0 ? "red" : "blue" }
            : { resolution: "declined" },
        );
        const replies = await Promise.all(ending.map((each) => resolve(context, id, each)));
        const winners = ending.filter((_, index) => replies[index]?.applied === true);
        const notified = replies.filter(({ applied }) => applied).map(({ shown }) => shown);
        const first = essence(await readStored(context, id));
        const [winner] = winners;
        const agrees = winner !== undefined && winner.resolution === first.status;
        const whyMany = `${winners.length} of 8 resolutions at once took effect`;
        context.expect("AHCP-LIF-003", winners.length === 1, whyMany, ...notified.slice(0, 2));
        const why = `the winner got "${winner?.resolution}", but the ask reads as "${first.status}"`;
        context.expect("AHCP-LIF-003", winners.length !== 1 || agrees, why);
        const isSame = equal(essence(await readStored(context, id)), first);
        context.expect("AHCP-LIF-003", isSame, "after many resolutions at once the outcome changes from read to read");
      }
    },
  },
  {
    name: "lifecycle-deadline-race",
    says: "when an answer and the deadline coincide, one of them is final",
    rules: ["AHCP-LIF-004"],
    needs: ["resolve", "clock"],
    withinMs: 120_000,
    async play(context) {
      if (!(await hasOneWinnerAtOnce(context)))
        return context.skip(
          "AHCP-LIF-004",
          "the hub applies more than one resolution to the same message, so that this race shows nothing more",
        );
      for (const pause of [0, 5, 20, 50, 100, 150]) {
        const { during, after, resolved: told } = await raceDeadline(context, pause);
        const [one, other] = [essence(during), essence(after)];
        const isOnce = during.status === "open" || equal(one, other);
        const whyChanged = `an ask that was ${one.status} became ${other.status} later`;
        context.expect("AHCP-LIF-004", isOnce, whyChanged, readAs(during), readAs(after));
        const isReported = !told.applied || after.status === "answered";
        const unlike = `the answer was accepted, but the ask reads as "${after.status}"`;
        context.expect("AHCP-LIF-004", isReported, unlike, told.shown, readAs(after));
      }
    },
  },
  {
    name: "lifecycle-cancelled",
    says: "a cancelled ask has a Response with its actor and time",
    rules: ["AHCP-LIF-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      const reply = await cancel(context, id);
      const message = await readStored(context, id);
      if (message.status !== "cancelled")
        return context.skip("AHCP-LIF-005", `the ask is not cancelled: ${inShort(reply)}`);
      const { envelope, inner } = outcomeOf(message);
      const { actor, resolved_at: time } = inner;
      const isWhole = envelope.resolution === "cancelled" && typeof time === "string";
      context.expect("AHCP-LIF-005", isWhole, "a cancelled ask has no Response with its resolution and time");
      if (!isWhole) return;
      const isHub = typeof actor === "string" && actor.startsWith("system:");
      const why = `the submitter cancelled, but the actor is "${actor}"`;
      context.expect("AHCP-LIF-005", actor === `agent:${context.agents.a}`, why, isHub ? "SHOULD" : undefined);
    },
  },
  {
    name: "lifecycle-notify",
    says: "a notify is delivered at once and stays so, with any deadline",
    rules: ["AHCP-LIF-008"],
    needs: [],
    withinMs: 60_000,
    waits: 18_000,
    async play(context) {
      const { id } = await submit(context, notify(context));
      for (let reads = 1; reads <= 3; reads++) {
        const reply = await read(context, id);
        if (reply.status !== 200) return context.skip("AHCP-LIF-008", `the notify cannot be read: ${inShort(reply)}`);
        const { status } = reply.json as JsonObject;
        context.expect("AHCP-LIF-008", status === "delivered", `at read ${reads} a notify is "${status}"`);
      }
      const deadline = await deadlineIn(context, leadTime(context));
      const dated = idOf(await post(context, notify(context, deadline.members)));
      // A hub need not accept a deadline without meaning.
      if (dated === undefined) return;
      await waitUntilDeadline(context, deadline, 12_000);
      const { status } = await readStored(context, dated);
      context.expect("AHCP-LIF-008", status === "delivered", `12 s after its deadline a notify is "${status}"`);
    },
  },
];
