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
  hasSpecifiedForm,
  type Key,
  requireSameAlgorithm,
  verifiesContext,
  wrongDigests,
} from "./callback-signature.ts";
import { waitUntilDeadline } from "./deadline.ts";
import { morePushesArrive, pushArrives } from "./due-messages.ts";
import { ask, task, tester } from "./messages.ts";
import { bodyOf, chooseScheme, pushNeeds, signatureOf, submitPush, verificationKeyFor } from "./pushes.ts";
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

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** Ends a message with a doubtful resolution, which the hub may refuse or correct, and returns the stored message. */
async function outcomeAfter(context: ScenarioContext, message: JsonObject, ending: JsonObject): Promise<JsonObject> {
  const { id } = await submit(context, message);
  await resolve(context, id, ending);
  return readStored(context, id);
}

/** A push for a callback with a secret reference. */
interface SecretPush {
  callback: Callback;
  reference: string;
  key: Key;
  /** Whether the push is signed with the secret of the reference. */
  isCorrectlySigned: boolean;
}

/** Submits an ask with this callback and secret reference, answers it, and returns the push. */
async function pushWithReference(context: ScenarioContext, callback: Callback, reference: string): Promise<Arrival> {
  const count = callback.arrivals.length + 1;
  const auth: JsonObject = { scheme: "hmac", secret_ref: reference };
  const block: JsonObject = { callback: { mode: "push", url: callback.url, auth } };
  const { id } = await submitPush(context, ask(context, { state: { step: 1 } }, block));
  await resolveMessage(context, id);
  await pushArrives(context, callback, count);
  const arrival = callback.arrivals[count - 1];
  if (arrival === undefined) throw new TargetSkip("no push has arrived");
  if (!hasSpecifiedForm(arrival.headers["ahcp-signature"]))
    throw new TargetSkip("the signature header does not have the specified format, so it cannot be verified");
  return arrival;
}

/** Whether a push is signed with this key. `change` replaces members of the signed context. */
function isSignedWith(arrival: Arrival, { url }: Callback, key: Key, change: JsonObject = {}): boolean {
  const signature = signatureOf(arrival);
  return (
    signature !== undefined &&
    verifiesContext({ ...contextOf(bodyOf(arrival), url, signature), ...change }, signature, key)
  );
}

async function pushWithSecret(context: ScenarioContext, isSecond: boolean): Promise<SecretPush> {
  const scheme = await chooseScheme(context, "hmac");
  const { secret_ref: reference } = await context.hook("secret", { scheme, ...(isSecond ? { second: isSecond } : {}) });
  if (typeof reference !== "string")
    throw new TargetSkip('the hook "secret" returns no secret_ref', hookAnswer("secret"));
  const callback = await context.callback([200]);
  const arrival = await pushWithReference(context, callback, reference);
  const key = await verificationKeyFor(context, callback, scheme, { reference });
  requireSameAlgorithm(key, signatureOf(arrival));
  const isCorrectlySigned = isSignedWith(arrival, callback, key);
  const digests = wrongDigests(bodyOf(arrival));
  if (
    !isCorrectlySigned &&
    digests.some(([, digest]) => isSignedWith(arrival, callback, key, { payload_sha256: digest }))
  )
    throw new TargetSkip("the signed digest is wrong, regardless of the secret");
  return { callback, reference, key, isCorrectlySigned };
}

export const doubtfulInputScenarios: readonly Scenario[] = [
  {
    name: "doubtful-task-value",
    says: "the value of a task's outcome is not stored",
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
    says: "an answered ask has a value, and a declined one has none",
    rules: ["AHCP-RSP-011"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const withoutValue = await outcomeAfter(context, ask(context), { resolution: "answered" });
      const isEmpty = withoutValue.status === "answered" && outcomeOf(withoutValue).inner.value === undefined;
      context.expect("AHCP-RSP-011", !isEmpty, "an ask is answered, but without a value");
      const { inner } = outcomeOf(await outcomeAfter(context, ask(context), { resolution: "declined", value: "red" }));
      const why = `an ask that was declined has the value ${JSON.stringify(inner.value)}`;
      context.expect("AHCP-RSP-011", inner.value === undefined, why, "SHOULD");
    },
  },
  {
    name: "doubtful-leap-second",
    says: "a deadline at a distant leap second is refused or does not take effect early",
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
      // If the hub applies the deadline too early, the ask expires within this bound. Without a clock hook, wait only briefly.
      await context.pass(context.has("clock") ? 1000 + boundOf(context, "expiry") : 2000);
      const { status } = await readStored(context, id);
      context.expect("AHCP-EXP-003", status === "open", `decades before its deadline the ask is "${status}"`);
      if (status !== "open") return;
      const { applied, shown } = await resolve(context, id, redAnswer);
      context.expect("AHCP-EXP-003", applied, "decades before its deadline an ask cannot be answered", shown);
      const answeredAsk = await readStored(context, id);
      const why = `it was answered decades before its deadline, and is "${answeredAsk.status}"`;
      context.expect("AHCP-EXP-003", !applied || answeredAsk.status === "answered", why, readAs(answeredAsk));
    },
  },
  {
    name: "doubtful-leap-second-passes",
    says: "a deadline at a leap second is refused or takes effect",
    rules: ["AHCP-EXP-005"],
    needs: ["clock"],
    withinMs: 60_000,
    async play(context) {
      const now = await context.now();
      const midnight = (Math.floor((now + minuteMs) / dayMs) + 1) * dayMs;
      const text = `${new Date(midnight - dayMs).toISOString().slice(0, 10)}T23:59:60Z`;
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
    says: "claiming to be a listed system does not permit a resolution",
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
      // The hook determines the actor. The hub must ignore the additional claim.
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
      const firstPush = await pushWithSecret(context, false);
      const secondPush = await pushWithSecret(context, true);
      const haveSameKey = isDeepStrictEqual(firstPush.key, secondPush.key) && firstPush.key.alg === "hmac-sha256";
      if (firstPush.reference === secondPush.reference || haveSameKey)
        throw new TargetSkip("both secrets have the same reference, or are equal, so it is unknown which one signs");
      for (const { reference, isCorrectlySigned } of [firstPush, secondPush])
        context.expect(
          "AHCP-SIG-003",
          isCorrectlySigned,
          `a push with the reference ${reference} is not signed with the secret of this reference`,
        );
      if (!firstPush.isCorrectlySigned || !secondPush.isCorrectlySigned) return;
      // Use the same URL with the second reference. A hub that stores secrets by URL signs with the first secret again.
      const { callback, reference } = firstPush;
      const arrival = await pushWithReference(context, callback, secondPush.reference);
      const why = `a push with the reference ${secondPush.reference}, at a URL where ${reference} signed before, is not signed with its secret`;
      context.expect("AHCP-SIG-003", isSignedWith(arrival, callback, secondPush.key), why);
    },
  },
  {
    name: "doubtful-unknown-secret",
    slow: true,
    says: "a push with an unknown secret is refused or not sent",
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
        await morePushesArrive(context, callback, 0, 3000);
      }
      const isAnyUnsigned = callback.arrivals.some(({ headers }) => headers["ahcp-signature"] === undefined);
      context.expect("AHCP-SIG-001", !isAnyUnsigned, "a push without a secret is sent unsigned");
      const isAnySignedWith = (secret: string): boolean =>
        callback.arrivals.some((arrival) => isSignedWith(arrival, callback, { alg: "hmac-sha256", secret }));
      const whyEmptyKey = "a push without a secret is signed with the empty key, which any party can do";
      context.expect("AHCP-SIG-001", !isAnySignedWith(""), whyEmptyKey);
      const { secret_ref: reference } = auth as { secret_ref: string };
      const whySigned = `a push with the reference ${reference}, which has no secret, is signed with the reference itself as its key`;
      // Some hubs may use the reference itself as the secret, so this is only a warning.
      context.expect("AHCP-SIG-001", !isAnySignedWith(reference), whySigned, "SHOULD");
    },
  },
];
