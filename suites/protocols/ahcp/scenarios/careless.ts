import { type JsonObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { contextOf, isSignatureOf } from "./callback-signature.ts";
import { ask, task, tester } from "./messages.ts";
import { bodyOf, firstPush, keyFor, pushNeeds, signatureOf, submitPush } from "./pushes.ts";
import {
  idOf,
  inShort,
  isClientError,
  isTaken,
  outcomeOf,
  post,
  red,
  resolve,
  resolved,
  stored,
  submit,
} from "./steps.ts";

/** What a message became after a resolution that a careful resolver would not send; whether it is refused or tidied is the hub's affair. */
async function after(stage: ScenarioContext, message: JsonObject, given: JsonObject): Promise<JsonObject> {
  const { id } = await submit(stage, message);
  await resolve(stage, id, given);
  return stored(stage, id);
}

/** A push whose secret goes by a reference, and the signature as it should be by that secret. */
async function pushedWith(
  stage: ScenarioContext,
  second: boolean,
): Promise<{ reference: string; isRight: boolean; secret: string }> {
  const { secret_ref: reference } = await stage.hook("secret", { scheme: "hmac", ...(second ? { second } : {}) });
  if (typeof reference !== "string") throw new TargetSkip('the hook "secret" gives no reference');
  const callback = await stage.callback([200]);
  const auth: JsonObject = { scheme: "hmac", secret_ref: reference };
  const block: JsonObject = { callback: { mode: "push", url: callback.url, auth } };
  const { id } = await submitPush(stage, ask(stage, { state: { step: 1 } }, block));
  await resolved(stage, id);
  const first = await firstPush(stage, callback);
  const key = await keyFor(stage, callback, "hmac", { reference });
  const signature = signatureOf(first);
  const isRight =
    signature !== undefined && isSignatureOf(contextOf(bodyOf(first), callback.url, signature), signature, key);
  return { reference, isRight, secret: key.alg === "hmac-sha256" ? key.secret : "" };
}

export const careless: readonly Scenario[] = [
  {
    name: "careless-task-value",
    says: "a value that comes along when a task ends is not kept",
    rules: ["AHCP-RSP-009"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(stage) {
      for (const resolution of ["completed", "dismissed"]) {
        const { inner } = outcomeOf(await after(stage, task(stage), { resolution, value: "done" }));
        const why = `a task that was ${resolution} has the value ${JSON.stringify(inner.value)}`;
        stage.expect("AHCP-RSP-009", inner.value === undefined, why);
      }
    },
  },
  {
    name: "careless-answers",
    says: "nothing is answered without a value, and nothing declined with one",
    rules: ["AHCP-RSP-011"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(stage) {
      const empty = await after(stage, ask(stage), { resolution: "answered" });
      const isEmpty = empty.status === "answered" && outcomeOf(empty).inner.value === undefined;
      stage.expect("AHCP-RSP-011", !isEmpty, "an ask is answered, and without a value");
      const { inner } = outcomeOf(await after(stage, ask(stage), { resolution: "declined", value: "red" }));
      const why = `an ask that was declined has the value ${JSON.stringify(inner.value)}`;
      stage.expect("AHCP-RSP-011", inner.value === undefined, why, "SHOULD");
    },
  },
  {
    name: "careless-leap-second",
    says: "a deadline at a second that was inserted is refused, or is far off",
    rules: ["AHCP-EXP-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    waits: 2000,
    async play(stage) {
      const reply = await post(
        stage,
        ask(stage, { expires_at: "2099-12-31T23:59:60Z" }, { default_on_expire: "blue" }),
      );
      stage.expect("AHCP-EXP-003", isTaken(reply) || isClientError(reply), `it breaks the hub: ${inShort(reply)}`);
      const id = idOf(reply);
      if (!isTaken(reply) || id === undefined) return;
      await stage.pass(2000);
      const { status } = await stored(stage, id);
      stage.expect("AHCP-EXP-003", status === "open", `decades before its deadline the ask is "${status}"`);
      if (status !== "open") return;
      const { applied } = await resolve(stage, id, red);
      stage.expect("AHCP-EXP-003", applied, "decades before its deadline an ask cannot be answered");
    },
  },
  {
    name: "careless-system",
    says: "a system that is listed lends its name to nobody",
    rules: ["AHCP-RES-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(stage) {
      const actor = "system:touchstone";
      const reply = await post(stage, ask(stage, {}, { allowed_resolvers: [actor, tester] }));
      const id = idOf(reply);
      if (!isTaken(reply) || id === undefined) {
        stage.skip("AHCP-RES-003", `the hub does not take a list with a system in it: ${inShort(reply)}`);
        return;
      }
      await resolve(stage, id, { ...red, actor });
      const { inner } = outcomeOf(await stored(stage, id));
      stage.expect("AHCP-RES-003", inner.actor !== actor, `whoever says so answers as "${actor}"`);
    },
  },
  {
    name: "careless-secrets",
    says: "each reference has the secret that it stands for",
    rules: ["AHCP-SIG-003"],
    needs: [...pushNeeds, "resolve", "key"],
    withinMs: 120_000,
    async play(stage) {
      const one = await pushedWith(stage, false);
      const other = await pushedWith(stage, true);
      if (one.reference === other.reference || (one.secret === other.secret && one.secret !== ""))
        throw new TargetSkip("there is one reference, or one secret for both, so that it does not show");
      for (const { reference, isRight } of [one, other])
        stage.expect("AHCP-SIG-003", isRight, `what refers to ${reference} is not signed with its secret`);
    },
  },
  {
    name: "careless-unknown-secret",
    says: "what there is no secret for is refused, or never pushed unsigned",
    rules: ["AHCP-SIG-001"],
    needs: ["receiver", "development", "resolve"],
    withinMs: 60_000,
    async play(stage) {
      const callback = await stage.callback([200]);
      const auth: JsonObject = { scheme: "hmac", secret_ref: `vault://${stage.fresh("nowhere")}` };
      const message = ask(stage, {}, { callback: { mode: "push", url: callback.url, auth } });
      const reply = await post(stage, message);
      const id = idOf(reply);
      if (isTaken(reply) && id !== undefined) {
        await resolved(stage, id);
        await stage.come(callback, 1, 3000);
      }
      const isUnsigned = callback.arrivals.some(({ headers }) => headers["ahcp-signature"] === undefined);
      stage.expect("AHCP-SIG-001", !isUnsigned, "what there is no secret for goes out unsigned");
    },
  },
];
