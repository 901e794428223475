import { equal, type HttpReply, isObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { ahead, deadlineIn, reach } from "./deadline.ts";
import { ask, notify, task } from "./messages.ts";
import { askWithPush, bodyOf, firstPush, keepsComing, movesPauses, pushNeeds, tooSlow } from "./pushes.ts";
import {
  afterDeadline,
  essence,
  idOf,
  inShort,
  post,
  read,
  red,
  resolve,
  resolved,
  statusOf,
  stored,
  submit,
} from "./steps.ts";

/** Stops the hub and starts it again, and waits until it serves. */
async function restart(context: ScenarioContext): Promise<void> {
  await context.hook("restart", {});
  for (let tries = 0; tries < 20; tries++) {
    const reply = await context.send({ method: "GET", path: "/.well-known/ahcp", as: "nobody" }).catch(() => undefined);
    if (reply !== undefined && reply.status < 500) return;
    await new Promise((done) => setTimeout(done, 250));
  }
}

function isKnown({ status, json }: HttpReply): boolean {
  return status === 200 && isObject(json);
}

/** Why a rule says nothing about what is gone altogether. */
const gone = "the message is gone altogether";

export const durability: readonly Scenario[] = [
  {
    name: "durability-messages",
    says: "messages and their outcomes survive a restart",
    rules: ["AHCP-DUR-001", "AHCP-DUR-002", "AHCP-DUR-003"],
    needs: ["restart", "resolve"],
    withinMs: 120_000,
    async play(context) {
      const open = [await submit(context, ask(context)), await submit(context, task(context))];
      const ended = [await submit(context, ask(context)), await submit(context, ask(context))];
      const [one, other] = ended.map(({ id }) => id) as [string, string];
      await resolved(context, one);
      await resolved(context, other, { resolution: "declined" });
      const before = await Promise.all(ended.map(({ id }) => stored(context, id)));
      const told = await submit(context, notify(context));
      const isShown = isKnown(await read(context, told.id));
      await restart(context);
      let areOpen = true;
      for (const [index, { id }] of open.entries()) {
        const reply = await read(context, id);
        const isOpen = isObject(reply.json) && reply.json.status === "open";
        areOpen &&= isOpen;
        context.expect("AHCP-DUR-001", isOpen, `after a restart an open message is ${inShort(reply)}`);
        if (!isOpen) continue;
        const { applied } = await resolve(context, id, index === 0 ? red : { resolution: "completed" });
        context.expect("AHCP-DUR-001", applied, "after a restart an open message cannot be resolved");
      }
      for (const [index, { id }] of ended.entries()) {
        const reply = await read(context, id);
        if (!isKnown(reply) && !areOpen) context.skip("AHCP-DUR-002", gone);
        else {
          const isSame = isObject(reply.json) && equal(essence(reply.json), essence(before[index] ?? {}));
          context.expect("AHCP-DUR-002", isSame, `after a restart an outcome is read as ${inShort(reply)}`);
        }
      }
      if (!isShown) return context.skip("AHCP-DUR-003", "a notify cannot be read without a restart either");
      const reply = await read(context, told.id);
      context.expect("AHCP-DUR-003", isKnown(reply), `after a restart a notify is read as ${inShort(reply)}`);
    },
  },
  {
    name: "durability-keys",
    says: "a repetition is known again after a restart",
    rules: ["AHCP-DUR-005"],
    needs: ["restart"],
    withinMs: 60_000,
    async play(context) {
      const message = ask(context);
      const { id } = await submit(context, message);
      if (idOf(await post(context, message)) !== id)
        return context.skip("AHCP-DUR-005", "a repetition is not known without a restart either");
      await restart(context);
      if (!isKnown(await read(context, id))) return context.skip("AHCP-DUR-005", gone);
      const again = await post(context, message);
      const why = `after a restart a repetition of ${id} is answered with ${inShort(again)}`;
      context.expect("AHCP-DUR-005", idOf(again) === id, why);
    },
  },
  {
    name: "durability-deadlines",
    says: "a deadline passes whether or not the hub was stopped meanwhile",
    rules: ["AHCP-DUR-006"],
    needs: ["restart"],
    withinMs: 60_000,
    waits: 7000,
    async play(context) {
      const deadline = await deadlineIn(context, ahead(context));
      const { id } = await submit(context, ask(context, deadline.members));
      await restart(context);
      if (!isKnown(await read(context, id))) return context.skip("AHCP-DUR-006", gone);
      await reach(context, deadline, 1000);
      const { status } = await afterDeadline(context, id);
      context.expect("AHCP-DUR-006", status === "expired", `after a restart and its deadline the ask is "${status}"`);
    },
  },
  {
    name: "durability-pushes",
    says: "what was not through is pushed after a restart",
    rules: ["AHCP-DUR-004"],
    needs: [...pushNeeds, "restart", "resolve"],
    withinMs: 300_000,
    waits: 120_000,
    ownTimers: true,
    async play(context) {
      const callback = await context.callback([503, 200]);
      const { id } = await askWithPush(context, callback);
      await resolved(context, id);
      const first = bodyOf(await firstPush(context, callback));
      await restart(context);
      if (!isKnown(await read(context, id)) || (await statusOf(context, id)) !== "answered")
        return context.skip("AHCP-DUR-004", "the outcome itself is gone");
      const isResumed = await keepsComing(context, callback, 2, 48 * 3_600_000);
      if (!isResumed && !(await movesPauses(context))) return context.skip("AHCP-DUR-004", tooSlow);
      context.expect("AHCP-DUR-004", isResumed, "a push that was to be tried again is forgotten at a restart");
      if (!isResumed || first.resolution_id === undefined) return;
      // Whether attempts agree without a restart is another rule's matter.
      const { resolution_id: shown = null } = (await stored(context, id)).response as { resolution_id?: string };
      if (shown !== first.resolution_id) return;
      const { resolution_id: name } = bodyOf(callback.arrivals.at(-1));
      context.expect(
        "AHCP-DUR-004",
        name === first.resolution_id,
        "after a restart it is pushed under another resolution_id",
      );
    },
  },
];
