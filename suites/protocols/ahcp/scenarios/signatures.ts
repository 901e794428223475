import {
  type Arrival,
  type Callback,
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { dp001 } from "../rules/fixtures.ts";
import { AttemptDates, clockOf, maxDistance, moveClockAway, realTimeOf, unknownClock } from "./attempt-times.ts";
import { failures, skipUnseen } from "./attempts.ts";
import { boundOf } from "./bounds.ts";
import {
  algorithmOf,
  contextOf,
  form,
  isFormed,
  isSignatureOf,
  isSigned,
  requireSameAlgorithm,
  type Signature,
} from "./callback-signature.ts";
import { firstPush } from "./due-messages.ts";
import { fixtureScenario } from "./fixture-signature.ts";
import { ask, task } from "./messages.ts";
import { readPublished } from "./published.ts";
import {
  askWithPush,
  bind,
  bodyOf,
  keyFor,
  pushNeeds,
  pushTo,
  signatureOf,
  submitPush,
  waitForPushes,
} from "./pushes.ts";
import { signedCases, unquoteNumbers } from "./signed-cases.ts";
import { forEachScheme, judge, pushUnderScheme, type SignedPush, withScheme } from "./signed-schemes.ts";
import { describeExpected, digestedText, findMistake } from "./signed-text.ts";
import { resolveMessage } from "./steps.ts";
import { verifier } from "./verifier.ts";

/** An ask with a signed answer: its other members, the end of its callback's URL, the members of the answer, and its spelling. */
interface SignedCase {
  members?: JsonObject | undefined;
  tail?: string | undefined;
  ending?: JsonObject | undefined;
  write?: (text: string) => string;
}

/** The first push of an answered ask. */
async function pushOutcome(
  context: ScenarioContext,
  { members = {}, tail = "", ending = {}, write = (text) => text }: SignedCase = {},
): Promise<{ callback: Callback; body: JsonObject; signature: Signature | undefined }> {
  const callback = await context.callback([200], tail);
  const message = ask(context, members, await pushTo(context, callback.url));
  const { id } = await submitPush(context, message, "a", write(JSON.stringify(message)));
  await resolveMessage(context, id, { resolution: "answered", value: "red", ...ending });
  const first = await firstPush(context, callback);
  return { callback, body: bodyOf(first), signature: signatureOf(first) };
}

/** The push of a task shows the time of its resolution only if the hub sends it; otherwise the signed time is unknown. */
async function checkTaskSignature(context: ScenarioContext): Promise<void> {
  const callback = await context.callback([200]);
  const checklist = [{ text: "Look.", done: true }];
  const ownTask = task(context, { state: { step: "task" } }, { checklist, ...(await pushTo(context, callback.url)) });
  const { id } = await submitPush(context, ownTask);
  await resolveMessage(context, id, { resolution: "completed", comment: "Done.", checklist });
  const first = await firstPush(context, callback);
  const [body, signature] = [bodyOf(first), signatureOf(first)];
  const key = await keyFor(context, callback);
  const coversTime = (resolvedAt?: Json): boolean =>
    signature !== undefined &&
    isSignatureOf(
      { ...contextOf(body, callback.url, signature), ...(resolvedAt === undefined ? {} : { resolved_at: resolvedAt }) },
      signature,
      key,
    );
  if (isObject(body.response) && body.response.resolved_at !== undefined)
    return context.expect(
      "AHCP-SIG-007",
      coversTime(),
      "the signature of a task's push does not verify over the values in its body",
      first,
    );
  const why = "a task is pushed without the signed time, so that its signature cannot be verified";
  context.expect("AHCP-SIG-007", coversTime("") || coversTime(null), why, "SHOULD", first);
}

/** Throws a TargetSkip for a signature with a wrong form, which AHCP-SIG-002 judges. */
function skipIfMalformed(arrival: Arrival | undefined): void {
  if (!isFormed(arrival?.headers["ahcp-signature"]))
    throw new TargetSkip("the signature is not written in the one form, so that it cannot be verified");
}

export const signatures: readonly Scenario[] = [
  {
    name: "signatures-always",
    says: "no push is sent unsigned, and its signature has the one form and verifies, under every scheme",
    rules: ["AHCP-SIG-001", "AHCP-SIG-002", "AHCP-SIG-006", "AHCP-SIG-003"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 500_000,
    async play(context) {
      const { signature_algs: algorithms } = await readPublished(context).catch((): JsonObject => ({}));
      const signedPushes: SignedPush[] = [];
      await forEachScheme(async (scheme) => {
        const callback = await context.callback([200]);
        if (scheme !== "hmac" && context.has("bind")) await bind(context, callback.url);
        const callbackWithoutAuth = { callback: { mode: "push", url: callback.url } };
        const block = scheme === null ? callbackWithoutAuth : await pushTo(context, callback.url, scheme);
        const { id } = await submitPush(context, ask(context, {}, block));
        await resolveMessage(context, id);
        // A callback without a shared key need not get a push.
        if (scheme === null && !(await context.come(callback, 1, boundOf(context, "moved-push")))) return;
        const first = await firstPush(context, callback);
        const value = first.headers["ahcp-signature"];
        const isPresent = value !== undefined && value !== "";
        context.expect("AHCP-SIG-001", isPresent, `${withScheme(scheme)} a push is not signed`, first);
        if (!isPresent) return;
        context.expect("AHCP-SIG-002", form.test(value), `the header is "${value}", not t=…,jti=…,v1=…`, first);
        const { bytes, v1 } = signatureOf(callback.arrivals[0]) ?? { bytes: Buffer.alloc(0), v1: "" };
        const algorithm = algorithmOf({ bytes });
        context.expect("AHCP-SIG-002", algorithm !== undefined, `v1 has ${bytes.length} bytes, not 32 or 64`, first);
        context.expect("AHCP-SIG-002", !v1.endsWith("="), "v1 is padded", "SHOULD", first);
        if (context.has("key")) signedPushes.push(await pushUnderScheme(context, callback, scheme));
        if (!Array.isArray(algorithms))
          return context.skip("AHCP-SIG-006", "the hub does not publish its signature_algs");
        if (algorithm === undefined) return;
        const why = `v1 has ${bytes.length} bytes, as ${algorithm} makes them, which the hub does not publish`;
        context.expect("AHCP-SIG-006", algorithms.includes(algorithm), why, first);
      });
      judge(context, signedPushes);
    },
  },
  {
    name: "signatures-context",
    says: "the signature covers the delivered content, its place, and the answered message",
    rules: ["AHCP-SIG-003", "AHCP-SIG-004", "AHCP-SIG-005", "AHCP-SIG-007"],
    needs: [...pushNeeds, "resolve", "key"],
    withinMs: 500_000,
    async play(context) {
      const plainPush = await pushOutcome(context, { members: { state: { step: "one" } } });
      if (plainPush.signature === undefined) throw new TargetSkip("no readable signature has come");
      const key = await keyFor(context, plainPush.callback);
      requireSameAlgorithm(key, plainPush.signature);
      const isRight = isSigned(plainPush.body, plainPush.callback.url, plainPush.signature, key);
      if (!isRight) skipIfMalformed(plainPush.callback.arrivals[0]);
      const { rule, why } = findMistake(plainPush.body, plainPush.callback.url, plainPush.signature, key) ?? {
        rule: "AHCP-SIG-003",
        why: describeExpected(plainPush.body, plainPush.callback.url, plainPush.signature),
      };
      context.expect(
        isRight ? "AHCP-SIG-003" : rule,
        isRight,
        `the signature of a push ${why}`,
        plainPush.callback.arrivals[0],
      );
      if (!isRight) {
        const whyUnknown = "the simplest push does not verify, so that nothing finer can be judged";
        for (const otherRule of ["AHCP-SIG-003", "AHCP-SIG-004", "AHCP-SIG-005", "AHCP-SIG-007"])
          if (otherRule !== rule) context.skip(otherRule, whyUnknown);
        return;
      }
      for (const [caseRule, description, members, tail, ending] of signedCases) {
        const { callback, body, signature } = await pushOutcome(context, {
          members,
          tail,
          ending,
          write: unquoteNumbers,
        });
        const key = await keyFor(context, callback);
        const isFitting = signature !== undefined && isSigned(body, callback.url, signature, key);
        const mistake =
          signature === undefined || isFitting ? undefined : findMistake(body, callback.url, signature, key);
        const why = `${description}, the signature of a push ${mistake?.why ?? `does not verify: ${digestedText(body)}`}`;
        context.expect(mistake?.rule ?? caseRule, isFitting, why, callback.arrivals[0]);
      }
      await checkTaskSignature(context);
      const { in_reply_to: inReplyTo, resolution } = plainPush.body;
      context.expect(
        "AHCP-SIG-007",
        resolution === "answered" && inReplyTo !== undefined,
        "the push names another outcome",
        plainPush.callback.arrivals[0],
      );
    },
  },
  fixtureScenario({
    rule: "AHCP-SIG-010",
    fixture: dp001,
    agreed: "t=1749050910,jti=jti_01HZX7Q9Z3DEMOFIX,v1=sGsoX7pEgPVFL24v4qocBp586SLQGWoh8Qt46LlSfPc",
    padding: "SHOULD",
  }),
  {
    name: "signatures-attempts",
    says: "each attempt has a signature of its own, with its own time",
    rules: ["AHCP-SIG-008", "AHCP-SIG-009", "AHCP-SIG-001", "AHCP-SIG-003"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    ownTimers: "pushes",
    async play(context) {
      const callback = await context.callback(failures);
      const usedNonces = new Set<string>();
      await moveClockAway(context);
      const { id } = await askWithPush(context, callback);
      const clock = await clockOf(context);
      let isWallClock = false;
      const dates = new AttemptDates();
      let before = await context.now();
      await resolveMessage(context, id);
      await firstPush(context, callback);
      const firstPushAt = await context.now();
      const verify = await verifier(context, callback);
      for (let number = 1; number <= failures.length; number++) {
        // A push in progress has its date before the clock is moved.
        if (number > 1) await context.come(callback, number, 60);
        // Pushes that are due then come late, and some hubs send them before they confirm that the clock was moved.
        if (number > 1 && callback.arrivals.length < number) before = await context.now();
        // The second attempt is awaited in small steps, to reveal a date that is minutes old. Later attempts reveal a date that never changes.
        if (number > 2 && clock !== "left" && context.has("clock")) await context.pass(300_000);
        const startedAt = await context.now();
        // A push that has already arrived was sent before this time.
        if (callback.arrivals.length < number) before = startedAt;
        if (!(await waitForPushes(context, callback, number, 48 * 3_600_000))) break;
        const now = await context.now();
        const arrival = callback.arrivals[number - 1] as Arrival;
        await verify(callback, arrival, `attempt ${number}`);
        const signature = parseOrSkip(context, signatureOf(arrival), `attempt ${number}`);
        if (signature === undefined) continue;
        const { t, jti } = signature;
        const unmoved = firstPushAt + arrival.at - (callback.arrivals[0] as Arrival).at;
        const arrivalTimes = { before, now, wall: realTimeOf(arrival), unmoved };
        const { byHub, byWall, byUnmoved } = offsetsInSeconds(Number(t), arrivalTimes);
        // A receiver judges by its own clock; if the two differ, the first attempt shows which one the hub's signatures follow.
        if (number === 1) isWallClock = byHub > maxDistance && byWall <= maxDistance;
        const isJump = !isWallClock && number > 1 && byHub > maxDistance && byUnmoved <= maxDistance;
        if (isJump && clock === "unknown") context.skip("AHCP-SIG-008", unknownClock);
        const offsetSeconds = isWallClock ? byWall : isJump && clock !== "moved" ? byUnmoved : byHub;
        const whyAway = `attempt ${number} is dated ${offsetSeconds} s away from its arrival`;
        if (!isJump || clock !== "unknown")
          context.expect("AHCP-SIG-008", offsetSeconds <= maxDistance, whyAway, arrival);
        const [first] = callback.arrivals;
        const secondsLater = Math.round(arrival.at - (first?.at ?? 0)) / 1000;
        const isSame = signatureOf(first)?.t === t;
        const isOld = secondsLater > 3 && clock !== "left" && isSame;
        dates.add(t, arrival);
        const whyOld = `attempt ${number} repeats the t of the first, which came ${secondsLater} s before: after two minutes none can be verified`;
        context.expect("AHCP-SIG-008", !isOld, whyOld, "SHOULD", arrival);
        const whyUsed = `attempt ${number} has a jti that was used before`;
        context.expect("AHCP-SIG-009", !usedNonces.has(jti), whyUsed, arrival);
        usedNonces.add(jti);
      }
      await judgeTwoPushes(context, usedNonces);
      dates.skipUnshown(context);
      skipUnseen(context, callback, ["AHCP-SIG-008", "AHCP-SIG-009", "AHCP-SIG-001", "AHCP-SIG-003"]);
    },
  },
];

/** Pushes two messages, and expects an unused `jti` in each. */
async function judgeTwoPushes(context: ScenarioContext, usedNonces: Set<string>): Promise<void> {
  for (const push of await Promise.all([pushOutcome(context), pushOutcome(context)])) {
    const signature = parseOrSkip(context, push.signature, "a push");
    if (signature === undefined) continue;
    context.expect("AHCP-SIG-009", !usedNonces.has(signature.jti), "two messages are pushed with one jti");
    usedNonces.add(signature.jti);
  }
}

/** Times and nonces cannot be compared if one of them is unreadable: AHCP-SIG-002 judges the form. */
function parseOrSkip(context: ScenarioContext, signature: Signature | undefined, push: string): Signature | undefined {
  const why = `the header AHCP-Signature of ${push} cannot be parsed: its time and its jti are not compared`;
  if (signature === undefined) for (const rule of ["AHCP-SIG-008", "AHCP-SIG-009"]) context.skip(rule, why);
  return signature;
}

/** The arrival time of an attempt, in milliseconds by several clocks. */
interface ArrivalTimes {
  /** The hub's clock before the attempt was due, and after it had come. */
  before: number;
  now: number;
  wall: number;
  /** The hub's clock, if it had not been moved since the first attempt. */
  unmoved: number;
}

/** The difference in seconds between a date and its arrival, by each clock. */
function offsetsInSeconds(
  date: number,
  { before, now, wall, unmoved }: ArrivalTimes,
): { byHub: number; byWall: number; byUnmoved: number } {
  return {
    byHub: Math.round(Math.max(0, before / 1000 - date, date - now / 1000)),
    byWall: Math.round(Math.abs(wall / 1000 - date)),
    byUnmoved: Math.round(Math.abs(unmoved / 1000 - date)),
  };
}
