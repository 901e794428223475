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

/** Checks that a resolution that the message's type does not permit is refused, and leaves the status unchanged. */
async function expectRefused(context: ScenarioContext, id: string, resolution: string, status: string): Promise<void> {
  const { applied, shown } = await resolve(context, id, { resolution });
  context.expect("AHCP-LIF-001", !applied, `the hub accepted "${resolution}" from a resolver`, shown);
  const statusAfter = await statusOf(context, id);
  context.expect(
    "AHCP-LIF-001",
    applied || statusAfter === status,
    `"${resolution}" was refused, and yet the message became "${statusAfter}"`,
  );
}

const invalidResolutions = ["expired", "open", "delivered", "resolved", "Answered"];

/** Answers an ask around its deadline. Reads it while the answer is pending, and again after it has returned. */
async function raceDeadline(
  context: ScenarioContext,
  pauseMs: number,
): Promise<{ during: JsonObject; after: JsonObject; resolved: ResolverAnswer }> {
  const deadline = await deadlineIn(context, 3_600_000);
  const { id } = await submit(context, ask(context, deadline.members, { default_on_expire: "blue" }));
  await context.hook("clock", { at: new Date(deadline.time - 400).toISOString() });
  const answer = resolve(context, id, redAnswer);
  const settledAnswer = answer.then(
    () => {},
    () => {},
  );
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await context.pass(500);
  const during = await readStored(context, id);
  await settledAnswer;
  return { during, after: await readStored(context, id), resolved: await answer };
}

export const lifecycle: readonly Scenario[] = [
  {
    name: "lifecycle-words",
    says: "a resolver can end a message only with a resolution of its type",
    rules: ["AHCP-LIF-001"],
    needs: ["resolve"],
    withinMs: 60_000,
    async play(context) {
      const openAsk = await submit(context, ask(context));
      for (const resolution of [...invalidResolutions, "completed", "dismissed"])
        await expectRefused(context, openAsk.id, resolution, "open");
      const openTask = await submit(context, task(context));
      for (const resolution of [...invalidResolutions, "cancelled"])
        await expectRefused(context, openTask.id, resolution, "open");
      const openNotify = await submit(context, notify(context));
      // A notify lists no resolvers, so its submitter might be allowed to resolve it.
      for (const actor of [tester, `agent:${context.agents.a}`])
        for (const resolution of ["completed", "declined", "dismissed", "cancelled", "answered"]) {
          const value = resolution === "answered" ? { value: "red" } : {};
          const { applied, shown } = await resolve(context, openNotify.id, { resolution, ...value, actor });
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
    says: "only one of many simultaneous resolutions has an effect",
    rules: ["AHCP-LIF-003"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(context) {
      if (!(await hasOneWinnerInSequence(context)))
        return context.skip(
          "AHCP-LIF-003",
          "several sequential resolutions have an effect, so a race cannot be tested",
        );
      for (let round = 0; round < 10; round++) {
        const { id } = await submit(context, ask(context));
        const endings = Array.from({ length: 8 }, (_, index) =>
          index % 2 === 0
            ? { resolution: "answered", value: index % 4 === 0 ? "red" : "blue" }
            : { resolution: "declined" },
        );
        const replies = await Promise.all(endings.map((ending) => resolve(context, id, ending)));
        const winners = endings.filter((_, index) => replies[index]?.applied === true);
        const evidence = replies.filter(({ applied }) => applied).map(({ shown }) => shown);
        const outcome = essence(await readStored(context, id));
        const [winner] = winners;
        const isShownOutcome = winner !== undefined && winner.resolution === outcome.status;
        const whyMany = `${winners.length} of 8 simultaneous resolutions took effect`;
        context.expect("AHCP-LIF-003", winners.length === 1, whyMany, ...evidence.slice(0, 2));
        const why = `the winner got "${winner?.resolution}", but the ask reads as "${outcome.status}"`;
        context.expect("AHCP-LIF-003", winners.length !== 1 || isShownOutcome, why);
        const isSame = equal(essence(await readStored(context, id)), outcome);
        context.expect("AHCP-LIF-003", isSame, "after simultaneous resolutions the outcome changes from read to read");
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
          "the hub applies more than one resolution to the same message, so this race cannot test the rule",
        );
      for (const pause of [0, 5, 20, 50, 100, 150]) {
        const { during, after, resolved: answer } = await raceDeadline(context, pause);
        const [outcomeBefore, outcomeAfter] = [essence(during), essence(after)];
        const isFinal = during.status === "open" || equal(outcomeBefore, outcomeAfter);
        const whyChanged = `an ask that was ${outcomeBefore.status} became ${outcomeAfter.status} later`;
        context.expect("AHCP-LIF-004", isFinal, whyChanged, readAs(during), readAs(after));
        const isReported = !answer.applied || after.status === "answered";
        const whyUnreported = `the answer was accepted, but the ask reads as "${after.status}"`;
        context.expect("AHCP-LIF-004", isReported, whyUnreported, answer.shown, readAs(after));
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
      const isComplete = envelope.resolution === "cancelled" && typeof time === "string";
      context.expect("AHCP-LIF-005", isComplete, "a cancelled ask has no Response with its resolution and time");
      if (!isComplete) return;
      const isSystemActor = typeof actor === "string" && actor.startsWith("system:");
      const why = `the submitter cancelled, but the actor is "${actor}"`;
      context.expect("AHCP-LIF-005", actor === `agent:${context.agents.a}`, why, isSystemActor ? "SHOULD" : undefined);
    },
  },
  {
    name: "lifecycle-notify",
    says: "a notify is delivered, and stays delivered even after a deadline",
    rules: ["AHCP-LIF-008"],
    needs: [],
    withinMs: 60_000,
    waits: 18_000,
    async play(context) {
      const { id } = await submit(context, notify(context));
      for (let readCount = 1; readCount <= 3; readCount++) {
        const reply = await read(context, id);
        if (reply.status !== 200) return context.skip("AHCP-LIF-008", `the notify cannot be read: ${inShort(reply)}`);
        const { status } = reply.json as JsonObject;
        context.expect("AHCP-LIF-008", status === "delivered", `at read ${readCount} a notify is "${status}"`);
      }
      const deadline = await deadlineIn(context, leadTime(context));
      const datedId = idOf(await post(context, notify(context, deadline.members)));
      // A hub may refuse a notify with a deadline.
      if (datedId === undefined) return;
      await waitUntilDeadline(context, deadline, 12_000);
      const { status } = await readStored(context, datedId);
      context.expect("AHCP-LIF-008", status === "delivered", `12 s after its deadline a notify is "${status}"`);
    },
  },
];
