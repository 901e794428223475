import { isDeepStrictEqual } from "node:util";
import {
  type Arrival,
  type Callback,
  hookAnswer,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import {
  contextOf,
  isFormed,
  isSignatureOf,
  type Key,
  requireSameAlgorithm,
  wrongDigests,
} from "./callback-signature.ts";
import { waitUntilDeadline } from "./deadline.ts";
import { arrives, morePushesCome } from "./due-messages.ts";
import { ask, task, tester } from "./messages.ts";
import { bodyOf, keyFor, pushNeeds, schemeServed, signatureOf, submitPush } from "./pushes.ts";
import {
  afterDeadline,
  idOf,
  inShort,
  isAccepted,
  isClientError,
  outcomeOf,
  post,
  readAs,
  readStored,
  redAnswer,
  resolve,
  resolveMessage,
  submit,
} from "./steps.ts";

const minute = 60_000;
const day = 1440 * minute;

/** The message after a doubtful resolution, which the hub may refuse or correct. */
async function outcomeAfter(context: ScenarioContext, message: JsonObject, ending: JsonObject): Promise<JsonObject> {
  const { id } = await submit(context, message);
  await resolve(context, id, ending);
  return readStored(context, id);
}

/** A push with a secret given by reference, and whether it is signed with that secret. */
interface SecretPush {
  callback: Callback;
  reference: string;
  key: Key;
  isRight: boolean;
}

/** Submits an ask with this callback and secret reference, answers it, and returns the push. */
async function pushUnder(context: ScenarioContext, callback: Callback, reference: string): Promise<Arrival> {
  const count = callback.arrivals.length + 1;
  const auth: JsonObject = { scheme: "hmac", secret_ref: reference };
  const block: JsonObject = { callback: { mode: "push", url: callback.url, auth } };
  const { id } = await submitPush(context, ask(context, { state: { step: 1 } }, block));
  await resolveMessage(context, id);
  await arrives(context, callback, count);
  const arrival = callback.arrivals[count - 1];
  if (arrival === undefined) throw new TargetSkip("no push has come");
  if (!isFormed(arrival.headers["ahcp-signature"]))
    throw new TargetSkip("the signature is not written in the one form, so that it cannot be verified");
  return arrival;
}

/** Whether a push is signed with a key, after a change of the signed content. */
function isSignedWith(arrival: Arrival, { url }: Callback, key: Key, change: JsonObject = {}): boolean {
  const signature = signatureOf(arrival);
  return (
    signature !== undefined &&
    isSignatureOf({ ...contextOf(bodyOf(arrival), url, signature), ...change }, signature, key)
  );
}

async function pushedWith(context: ScenarioContext, isSecond: boolean): Promise<SecretPush> {
  const scheme = await schemeServed(context, "hmac");
  const { secret_ref: reference } = await context.hook("secret", { scheme, ...(isSecond ? { second: isSecond } : {}) });
  if (typeof reference !== "string") throw new TargetSkip('the hook "secret" gives no reference', hookAnswer("secret"));
  const callback = await context.callback([200]);
  const arrival = await pushUnder(context, callback, reference);
  const key = await keyFor(context, callback, scheme, { reference });
  requireSameAlgorithm(key, signatureOf(arrival));
  const isRight = isSignedWith(arrival, callback, key);
  const digests = wrongDigests(bodyOf(arrival));
  if (!isRight && digests.some(([, digest]) => isSignedWith(arrival, callback, key, { payload_sha256: digest })))
    throw new TargetSkip("the signed digest is wrong, regardless of the secret");
  return { callback, reference, key, isRight };
}

export const doubtfulInput: readonly Scenario[] = [
  {
    name: "doubtful-task-value",
    says: "a value that accompanies the end of a task is not kept",
    rules: ["AHCP-RSP-009"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      for (const resolution of ["completed", "dismissed"]) {
        const { inner } = outcomeOf(await outcomeAfter(context, task(context), { resolution, value: "done" }));
        const why = `a task that was ${resolution} has the value ${JSON.stringify(inner.value)}`;
        context.expect("AHCP-RSP-009", inner.value === undefined, why);
      }
    },
  },
  {
    name: "doubtful-answers",
    says: "an answer has a value, and a refusal has none",
    rules: ["AHCP-RSP-011"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const empty = await outcomeAfter(context, ask(context), { resolution: "answered" });
      const isEmpty = empty.status === "answered" && outcomeOf(empty).inner.value === undefined;
      context.expect("AHCP-RSP-011", !isEmpty, "an ask is answered, but without a value");
      const { inner } = outcomeOf(await outcomeAfter(context, ask(context), { resolution: "declined", value: "red" }));
      const why = `an ask that was declined has the value ${JSON.stringify(inner.value)}`;
      context.expect("AHCP-RSP-011", inner.value === undefined, why, "SHOULD");
    },
  },
  {
    name: "doubtful-leap-second",
    says: "a deadline at a leap second is refused, or is far off",
    rules: ["AHCP-EXP-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    waits: 2000,
    async play(context) {
      const reply = await post(
        context,
        ask(context, { expires_at: "2099-12-31T23:59:60Z" }, { default_on_expire: "blue" }),
      );
      context.expect(
        "AHCP-EXP-003",
        isAccepted(reply) || isClientError(reply),
        `it crashes the hub: ${inShort(reply)}`,
      );
      const id = idOf(reply);
      if (!isAccepted(reply) || id === undefined) return;
      // A hub that applies the deadline too early shows this within the bound on expiries. A clock hook makes a real wait unnecessary.
      await context.pass(context.has("clock") ? 1000 + boundOf(context, "expiry") : 2000);
      const { status } = await readStored(context, id);
      context.expect("AHCP-EXP-003", status === "open", `decades before its deadline the ask is "${status}"`);
      if (status !== "open") return;
      const { applied, shown } = await resolve(context, id, redAnswer);
      context.expect("AHCP-EXP-003", applied, "decades before its deadline an ask cannot be answered", shown);
      const end = await readStored(context, id);
      const why = `it was answered decades before its deadline, and is "${end.status}"`;
      context.expect("AHCP-EXP-003", !applied || end.status === "answered", why, readAs(end));
    },
  },
  {
    name: "doubtful-leap-second-passes",
    says: "a deadline at a leap second is refused, or takes effect",
    rules: ["AHCP-EXP-005"],
    needs: ["clock"],
    withinMs: 60_000,
    async play(context) {
      const now = await context.now();
      const midnight = (Math.floor((now + minute) / day) + 1) * day;
      const text = `${new Date(midnight - day).toISOString().slice(0, 10)}T23:59:60Z`;
      const members = { created_at: new Date(now).toISOString(), expires_at: text };
      const reply = await post(context, ask(context, members, { default_on_expire: "blue" }));
      const id = idOf(reply);
      if (!isAccepted(reply) || id === undefined)
        return context.skip("AHCP-EXP-005", `the hub does not accept ${text}, which it need not: ${inShort(reply)}`);
      await waitUntilDeadline(context, { time: midnight }, 2000);
      const { status } = await afterDeadline(context, id);
      context.expect("AHCP-EXP-005", status === "expired", `11 s after its deadline, ${text}, the ask is "${status}"`);
    },
  },
  {
    name: "doubtful-system",
    says: "no agent may claim to be a listed system",
    rules: ["AHCP-RES-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const actor = "system:touchstone";
      const reply = await post(context, ask(context, {}, { allowed_resolvers: [actor, tester] }));
      const id = idOf(reply);
      if (!isAccepted(reply) || id === undefined) {
        context.skip("AHCP-RES-003", `the hub does not accept a list with a system in it: ${inShort(reply)}`);
        return;
      }
      // The hook determines the actor; an additional claim must be ignored.
      await resolve(context, id, { ...redAnswer, claims: { actor } });
      const { inner } = outcomeOf(await readStored(context, id));
      context.expect("AHCP-RES-003", inner.actor !== actor, `a claim is enough to answer as "${actor}"`);
    },
  },
  {
    name: "doubtful-secrets",
    says: "each reference has its own secret",
    rules: ["AHCP-SIG-003"],
    needs: [...pushNeeds, "resolve", "key"],
    withinMs: 400_000,
    async play(context) {
      const firstPush = await pushedWith(context, false);
      const secondPush = await pushedWith(context, true);
      const haveSameKey = isDeepStrictEqual(firstPush.key, secondPush.key) && firstPush.key.alg === "hmac-sha256";
      if (firstPush.reference === secondPush.reference || haveSameKey)
        throw new TargetSkip("both secrets have the same reference, or are equal, so the signing one is unknown");
      for (const { reference, isRight } of [firstPush, secondPush])
        context.expect(
          "AHCP-SIG-003",
          isRight,
          `a push with the reference ${reference} is not signed with the secret that is given for it`,
        );
      if (!firstPush.isRight || !secondPush.isRight) return;
      // One callback may use either reference: a hub that remembers a secret by the URL uses the first for both.
      const { callback, reference } = firstPush;
      const arrival = await pushUnder(context, callback, secondPush.reference);
      const why = `a push with the reference ${secondPush.reference}, at a URL where ${reference} signed before, is not signed with its secret`;
      context.expect("AHCP-SIG-003", isSignedWith(arrival, callback, secondPush.key), why);
    },
  },
  {
    name: "doubtful-unknown-secret",
    slow: true,
    says: "a push without a secret is refused, or never sent unsigned",
    rules: ["AHCP-SIG-001"],
    needs: ["receiver", "development", "resolve"],
    withinMs: 60_000,
    waits: 3000,
    async play(context) {
      const callback = await context.callback([200]);
      const auth: JsonObject = { scheme: "hmac", secret_ref: `vault://${context.fresh("nowhere")}` };
      const message = ask(context, {}, { callback: { mode: "push", url: callback.url, auth } });
      const reply = await post(context, message);
      const id = idOf(reply);
      if (isAccepted(reply) && id !== undefined) {
        await resolveMessage(context, id);
        await morePushesCome(context, callback, 0, 3000);
      }
      const isUnsigned = callback.arrivals.some(({ headers }) => headers["ahcp-signature"] === undefined);
      context.expect("AHCP-SIG-001", !isUnsigned, "a push without a secret is sent unsigned");
      const isMadeWith = (secret: string): boolean =>
        callback.arrivals.some((arrival) => isSignedWith(arrival, callback, { alg: "hmac-sha256", secret }));
      const empty = "a push without a secret is signed with the empty key, which any party can do";
      context.expect("AHCP-SIG-001", !isMadeWith(""), empty);
      const { secret_ref: reference } = auth as { secret_ref: string };
      const whySigned = `a push with the reference ${reference}, which has no secret, is signed with that text as its key`;
      // For a hub that declares it, the reference may be the secret itself.
      context.expect("AHCP-SIG-001", !isMadeWith(reference), whySigned, "SHOULD");
    },
  },
];
