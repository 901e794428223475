import { equal, type HttpReply, isObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { ahead, deadlineIn, reach } from "./deadline.ts";
import { ask, notify, task } from "./messages.ts";
import { askWithPush, bodyOf, firstPush, keepsComing, pushNeeds } from "./pushes.ts";
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
async function restart(stage: ScenarioContext): Promise<void> {
  await stage.hook("restart", {});
  for (let tries = 0; tries < 20; tries++) {
    const reply = await stage.send({ method: "GET", path: "/.well-known/ahcp", as: "nobody" }).catch(() => undefined);
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
    async play(stage) {
      const open = [await submit(stage, ask(stage)), await submit(stage, task(stage))];
      const ended = [await submit(stage, ask(stage)), await submit(stage, ask(stage))];
      const [one, other] = ended.map(({ id }) => id) as [string, string];
      await resolved(stage, one);
      await resolved(stage, other, { resolution: "declined" });
      const before = await Promise.all(ended.map(({ id }) => stored(stage, id)));
      const told = await submit(stage, notify(stage));
      const isShown = isKnown(await read(stage, told.id));
      await restart(stage);
      let areOpen = true;
      for (const [index, { id }] of open.entries()) {
        const reply = await read(stage, id);
        const isOpen = isObject(reply.json) && reply.json.status === "open";
        areOpen &&= isOpen;
        stage.expect("AHCP-DUR-001", isOpen, `after a restart an open message is ${inShort(reply)}`);
        if (!isOpen) continue;
        const { applied } = await resolve(stage, id, index === 0 ? red : { resolution: "completed" });
        stage.expect("AHCP-DUR-001", applied, "after a restart an open message cannot be resolved");
      }
      for (const [index, { id }] of ended.entries()) {
        const reply = await read(stage, id);
        if (!isKnown(reply) && !areOpen) stage.skip("AHCP-DUR-002", gone);
        else {
          const isSame = isObject(reply.json) && equal(essence(reply.json), essence(before[index] ?? {}));
          stage.expect("AHCP-DUR-002", isSame, `after a restart an outcome is read as ${inShort(reply)}`);
        }
      }
      if (!isShown) return stage.skip("AHCP-DUR-003", "a notify cannot be read without a restart either");
      const reply = await read(stage, told.id);
      stage.expect("AHCP-DUR-003", isKnown(reply), `after a restart a notify is read as ${inShort(reply)}`);
    },
  },
  {
    name: "durability-keys",
    says: "a repetition is known again after a restart",
    rules: ["AHCP-DUR-005"],
    needs: ["restart"],
    withinMs: 60_000,
    async play(stage) {
      const message = ask(stage);
      const { id } = await submit(stage, message);
      if (idOf(await post(stage, message)) !== id)
        return stage.skip("AHCP-DUR-005", "a repetition is not known without a restart either");
      await restart(stage);
      if (!isKnown(await read(stage, id))) return stage.skip("AHCP-DUR-005", gone);
      const again = await post(stage, message);
      const why = `after a restart a repetition of ${id} is answered with ${inShort(again)}`;
      stage.expect("AHCP-DUR-005", idOf(again) === id, why);
    },
  },
  {
    name: "durability-deadlines",
    says: "a deadline passes whether or not the hub was stopped meanwhile",
    rules: ["AHCP-DUR-006"],
    needs: ["restart"],
    withinMs: 60_000,
    waits: 7000,
    async play(stage) {
      const deadline = await deadlineIn(stage, ahead(stage));
      const { id } = await submit(stage, ask(stage, deadline.members));
      await restart(stage);
      if (!isKnown(await read(stage, id))) return stage.skip("AHCP-DUR-006", gone);
      await reach(stage, deadline, 1000);
      const { status } = await afterDeadline(stage, id);
      stage.expect("AHCP-DUR-006", status === "expired", `after a restart and its deadline the ask is "${status}"`);
    },
  },
  {
    name: "durability-pushes",
    says: "what was not through is pushed after a restart",
    rules: ["AHCP-DUR-004"],
    needs: [...pushNeeds, "restart", "resolve"],
    withinMs: 300_000,
    waits: 120_000,
    async play(stage) {
      const callback = await stage.callback([503, 200]);
      const { id } = await askWithPush(stage, callback);
      await resolved(stage, id);
      const first = bodyOf(await firstPush(stage, callback));
      await restart(stage);
      if (!isKnown(await read(stage, id)) || (await statusOf(stage, id)) !== "answered")
        return stage.skip("AHCP-DUR-004", "the outcome itself is gone");
      const isResumed = await keepsComing(stage, callback, 2, 48 * 3_600_000);
      if (!isResumed && !stage.has("clock"))
        return stage.skip("AHCP-DUR-004", "nothing came in two minutes, and its clock cannot be put forward");
      stage.expect("AHCP-DUR-004", isResumed, "a push that was to be tried again is forgotten at a restart");
      if (!isResumed || first.resolution_id === undefined) return;
      // Whether attempts agree without a restart is another rule's matter.
      const { resolution_id: shown = null } = (await stored(stage, id)).response as { resolution_id?: string };
      if (shown !== first.resolution_id) return;
      const { resolution_id: name } = bodyOf(callback.arrivals.at(-1));
      stage.expect(
        "AHCP-DUR-004",
        name === first.resolution_id,
        "after a restart it is pushed under another resolution_id",
      );
    },
  },
];
