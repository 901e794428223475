import {
  type Callback,
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { isSigned } from "./callback-signature.ts";
import { ahead, deadlineIn, reach } from "./deadline.ts";
import { ask, notify, task } from "./messages.ts";
import {
  askWithPush,
  bodyOf,
  comes,
  exceeds,
  firstPush,
  keepsComing,
  keyFor,
  pushNeeds,
  pushTo,
  signatureOf,
  submitPush,
} from "./pushes.ts";
import {
  afterDeadline,
  cancel,
  idOf,
  inShort,
  isRefused,
  isTaken,
  outcomeOf,
  post,
  read,
  red,
  resolve,
  resolved,
  stored,
  submit,
} from "./steps.ts";

const [minute, hour] = [60_000, 3_600_000];

const state: JsonObject = {
  ...{ none: null, no: false, zero: 0, empty: "", list: [], object: {}, deep: { a: [1, 2.5, { b: null }] } },
  ...{ "e\u0301": "\u00e9", é: "e\u0301", "\u2028": "<&>", ["__proto__"]: "own", "😀": "\u007f" },
};

/** The Response of a push, with what may be left out. */
function whole(envelope: JsonObject): JsonObject {
  return { ...envelope, defaulted: envelope.defaulted ?? false };
}

/** Ends messages in several ways, and gives what reads show of each. */
async function ended(
  stage: ScenarioContext,
  more: JsonObject,
): Promise<{ id: string; message: JsonObject; shown: JsonObject }[]> {
  const all = [];
  const ways: [make: typeof ask, end: (id: string) => Promise<unknown>][] = [
    [ask, (id) => resolved(stage, id, red)],
    [ask, (id) => resolved(stage, id, { resolution: "declined" })],
    [task, (id) => resolved(stage, id, { resolution: "completed" })],
    [ask, (id) => cancel(stage, id)],
  ];
  for (const [make, end] of ways) {
    const message = make(stage, more);
    const { id } = await submit(stage, message);
    await end(id);
    all.push({ id, message, shown: await stored(stage, id) });
  }
  const deadline = await deadlineIn(stage, ahead(stage));
  const message = ask(stage, { ...more, ...deadline.members }, { default_on_expire: "blue" });
  const { id } = await submit(stage, message);
  await reach(stage, deadline, 1000);
  return [...all, { id, message, shown: await afterDeadline(stage, id) }];
}

/** Whether another end is refused; what it would change is another rule's matter. */
async function isFirm(stage: ScenarioContext, id: string): Promise<boolean> {
  const { applied } = await resolve(stage, id, { resolution: "declined" });
  return !applied && !isTaken(await cancel(stage, id));
}

export const outcomes: readonly Scenario[] = [
  {
    name: "outcomes-state",
    says: "the state comes back as it was, and names whom it answers",
    rules: ["AHCP-RSP-013", "AHCP-RSP-014"],
    needs: ["resolve"],
    withinMs: 120_000,
    async play(stage) {
      for (const { id, message, shown } of await ended(stage, { state })) {
        const { envelope } = outcomeOf(shown);
        if (!isObject(shown.response)) continue;
        const isSame = equal(envelope.state ?? null, state);
        stage.expect("AHCP-RSP-013", isSame, `the state of what was ${shown.status} comes back changed`);
        const { agent, in_reply_to: about } = envelope;
        const { id: name = null, run_id: run = null } = message.agent as JsonObject;
        const isTheirs = isObject(agent) && agent.id === name && agent.run_id === run;
        stage.expect("AHCP-RSP-014", about === id, `the Response to ${id} names ${about}`);
        const why = `the Response names the agent ${JSON.stringify(agent ?? null)}`;
        stage.expect("AHCP-RSP-014", isTheirs, why);
      }
      const [{ shown } = { shown: {} }] = await ended(stage, {});
      const { envelope } = outcomeOf(shown);
      const isAbsent = envelope.state === undefined;
      stage.expect(
        "AHCP-RSP-013",
        isAbsent,
        `without a state one comes back: ${JSON.stringify(envelope.state ?? null)}`,
      );
    },
  },
  {
    name: "outcomes-everywhere",
    says: "pushes, attempts and reads tell the same outcome under one id",
    rules: ["AHCP-RSP-015", "AHCP-GET-012"],
    needs: [...pushNeeds, "resolve"],
    ...{ withinMs: 600_000, waits: 120_000 },
    async play(stage) {
      const ids: Json[] = [];
      for (const given of [red, { resolution: "declined" }]) {
        const callback = await stage.callback([503, 200]);
        const { id } = await askWithPush(stage, callback, { state: { step: 1.5 } });
        await resolved(stage, id, given);
        await firstPush(stage, callback);
        await keepsComing(stage, callback, 2, 48 * hour);
        const { envelope } = outcomeOf(await stored(stage, id));
        await stage.pass(1000);
        // Whether reads agree among themselves is another rule's matter.
        const isStable = equal(outcomeOf(await stored(stage, id)).envelope, envelope);
        const { resolution_id: name = null, ...said } = whole(envelope);
        ids.push(name);
        for (const [index, arrival] of callback.arrivals.entries()) {
          const { resolution_id: pushed = null, ...body } = whole(bodyOf(arrival));
          const why = `attempt ${index + 1} has the resolution_id ${pushed}, and a read ${name}`;
          stage.expect("AHCP-RSP-015", pushed === name && name !== null, why);
          // What differs from attempt to attempt is another rule's matter.
          if (index > 0 || !isStable) continue;
          const differs = Object.keys({ ...said, ...body }).filter(
            (key) => !equal(said[key] ?? null, body[key] ?? null),
          );
          stage.expect("AHCP-GET-012", differs.length === 0, `push and read differ in ${differs.join(", ")}`);
        }
      }
      stage.expect("AHCP-RSP-015", ids[0] !== ids[1], "two outcomes have one resolution_id");
    },
  },
  {
    name: "outcomes-unasked",
    says: "nothing is pushed that did not ask for it",
    rules: ["AHCP-CBK-007"],
    needs: ["receiver", "development", "resolve"],
    ...{ withinMs: 120_000, waits: 30_000 },
    async play(stage) {
      const callback = await stage.callback([200]);
      const pulls = [{ callback: { mode: "pull" } }, { callback: { mode: "pull", url: callback.url } }, {}];
      for (const block of pulls) {
        const { id } = await submit(stage, ask(stage, {}, block));
        await resolved(stage, id);
        const { resolution } = outcomeOf(await stored(stage, id)).envelope;
        stage.expect("AHCP-CBK-007", resolution === "answered", "the outcome of an ask without a push cannot be read");
      }
      const hasCome = await exceeds(stage, callback, 0, 2 * minute);
      stage.expect("AHCP-CBK-007", !hasCome, "the outcome of an ask that asked for pull is pushed");
    },
  },
  {
    name: "outcomes-one",
    says: "no second outcome is ever pushed",
    rules: ["AHCP-LIF-006"],
    needs: [...pushNeeds, "resolve"],
    ...{ withinMs: 120_000, waits: 30_000 },
    async play(stage) {
      const callback = await stage.callback([200]);
      const { id } = await askWithPush(stage, callback);
      await resolved(stage, id);
      const first = bodyOf(await firstPush(stage, callback));
      if (!(await isFirm(stage, id)))
        return stage.skip(
          "AHCP-LIF-006",
          "what was answered can be ended again, so that there is more than one outcome",
        );
      await resolve(stage, id, { resolution: "answered", value: "blue" });
      await exceeds(stage, callback, 1, 10 * minute);
      for (const arrival of callback.arrivals) {
        const { resolution, resolution_id: name } = bodyOf(arrival);
        stage.expect("AHCP-LIF-006", resolution === "answered", `what was answered is pushed as "${resolution}"`);
        const isSame = name === first.resolution_id;
        stage.expect("AHCP-LIF-006", isSame, "after a second end was refused, another resolution_id is pushed");
      }
    },
  },
  {
    name: "outcomes-notify",
    says: "a notify is never answered",
    rules: ["AHCP-LIF-007"],
    needs: [...pushNeeds, "resolve"],
    ...{ withinMs: 120_000, waits: 30_000 },
    async play(stage) {
      const callback = await stage.callback([200]);
      const { id } = await submit(stage, notify(stage, await pushTo(stage, callback.url)));
      for (const given of [red, { resolution: "declined" }, { resolution: "completed" }]) {
        const { applied } = await resolve(stage, id, given);
        stage.expect("AHCP-LIF-007", !applied, `a notify can be ${given.resolution}`);
      }
      const hasCome = await exceeds(stage, callback, 0, 2 * minute);
      stage.expect("AHCP-LIF-007", !hasCome, "something is pushed for a notify");
      const reply = await read(stage, id);
      const isBare = !isObject(reply.json) || reply.json.response === undefined;
      stage.expect("AHCP-LIF-007", isBare, "a notify is read with a Response");
    },
  },
  {
    name: "outcomes-cancelled",
    says: "a cancellation is pushed like any outcome",
    rules: ["AHCP-CAN-008"],
    needs: [...pushNeeds],
    ...{ withinMs: 120_000, waits: 30_000 },
    async play(stage) {
      const callback = await stage.callback([200]);
      const { id } = await askWithPush(stage, callback);
      const reply = await cancel(stage, id);
      if (!isTaken(reply)) return stage.skip("AHCP-CAN-008", `the ask cannot be cancelled: ${inShort(reply)}`);
      const before = outcomeOf(await stored(stage, id)).envelope.resolution_id;
      if (before === undefined) return stage.skip("AHCP-CAN-008", "a cancelled ask has no Response to push");
      const hasCome = await comes(stage, callback);
      stage.expect("AHCP-CAN-008", hasCome, "a cancellation is not pushed");
      if (!hasCome) return;
      await cancel(stage, id);
      await exceeds(stage, callback, 1, 10 * minute);
      const after = outcomeOf(await stored(stage, id)).envelope.resolution_id;
      const [first] = callback.arrivals;
      const { resolution, resolution_id: name } = bodyOf(first);
      stage.expect("AHCP-CAN-008", resolution === "cancelled", `a cancellation is pushed as "${resolution}"`);
      const hasSignature = first?.headers["ahcp-signature"] !== undefined;
      stage.expect("AHCP-CAN-008", hasSignature, "a cancellation is pushed without a signature");
      if (before !== after) return;
      for (const arrival of callback.arrivals.slice(1)) {
        const isSame = bodyOf(arrival).resolution_id === name;
        stage.expect("AHCP-CAN-008", isSame, "one cancellation is pushed under several resolution_ids");
      }
    },
  },
  {
    name: "outcomes-own-callback",
    says: "an outcome goes to the callback of its own message only",
    rules: ["AHCP-AUT-006"],
    needs: [...pushNeeds, "resolve", "second-credential"],
    withinMs: 120_000,
    async play(stage) {
      const key = { idempotency_key: stage.fresh("key") };
      const theirs: { id: string; callback: Callback }[] = [];
      for (const as of ["a", "b"] as const) {
        const callback = await stage.callback([200]);
        const message = ask(stage, key, await pushTo(stage, callback.url));
        const agent = { ...(message.agent as JsonObject), id: stage.agents[as] ?? "" };
        theirs.push({ ...(await submitPush(stage, { ...message, agent }, as)), callback });
      }
      for (const { id } of theirs) await resolved(stage, id);
      for (const { callback } of theirs) await comes(stage, callback);
      for (const { id, callback } of theirs) {
        const strange = callback.arrivals.map((arrival) => bodyOf(arrival).in_reply_to).filter((about) => about !== id);
        const why = `to the callback of ${id} comes the outcome of ${strange.join(", ")}`;
        stage.expect("AHCP-AUT-006", strange.length === 0, why);
      }
    },
  },
  {
    name: "outcomes-old-version",
    says: "an agent of before 0.3 gets no push that it could not verify",
    rules: ["AHCP-VER-005"],
    needs: [...pushNeeds, "resolve", "key"],
    ...{ withinMs: 120_000, waits: 30_000 },
    async play(stage) {
      const callback = await stage.callback([200]);
      await askWithPush(stage, callback);
      const old = ask(stage, { ahcp_version: "0.2" }, await pushTo(stage, callback.url));
      const reply = await post(stage, old);
      const id = idOf(reply);
      if (!isTaken(reply) || id === undefined) {
        const isFitting = isRefused(reply, 400, "version_not_supported");
        const why = `a push to version 0.2 is refused, but not with 400 version_not_supported: ${inShort(reply)}`;
        return stage.expect("AHCP-VER-005", isFitting, why, "SHOULD");
      }
      await resolved(stage, id);
      await exceeds(stage, callback, 0, minute);
      const [first] = callback.arrivals;
      const signature = signatureOf(first);
      const isNew =
        signature !== undefined && isSigned(bodyOf(first), callback.url, signature, await keyFor(stage, callback));
      stage.expect("AHCP-VER-005", !isNew, "a message of version 0.2 is pushed with the signature of 0.3");
    },
  },
];
