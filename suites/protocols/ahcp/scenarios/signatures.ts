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
import {
  AttemptDates,
  clockOfPushes,
  maxDistanceSeconds,
  moveClockAway,
  realTimeOf,
  unknownClockReason,
} from "./attempt-times.ts";
import { failures, skipWithoutAllAttempts } from "./attempts.ts";
import { boundOf } from "./bounds.ts";
import {
  algorithmOf,
  contextOf,
  hasSpecifiedForm,
  requireSameAlgorithm,
  type Signature,
  specifiedForm,
  verifiesContext,
  verifiesPush,
} from "./callback-signature.ts";
import { awaitFirstPush } from "./due-messages.ts";
import { fixtureScenario } from "./fixture-signature.ts";
import { ask, task } from "./messages.ts";
import { readPublished } from "./published.ts";
import {
  askWithPush,
  bindHost,
  bodyOf,
  pushNeeds,
  pushRequestMembers,
  signatureOf,
  submitPush,
  verificationKeyFor,
  waitForPushes,
} from "./pushes.ts";
import { signedCases, unquoteNumbers } from "./signed-cases.ts";
import { forEachScheme, judge, pushUnderScheme, type SignedPush, withScheme } from "./signed-schemes.ts";
import { describeExpected, digestedText, findMistake } from "./signed-text.ts";
import { resolveMessage } from "./steps.ts";
import { verifier } from "./verifier.ts";

/**
 * An ask with a pushed answer: further members of the ask, a suffix of the callback URL, members of the answer, and a function
 * that changes the submitted JSON text.
 */
interface SignedCase {
  members?: JsonObject | undefined;
  tail?: string | undefined;
  ending?: JsonObject | undefined;
  write?: (text: string) => string;
}

/** Submits an ask, answers it, and returns its first push. */
async function pushOutcome(
  context: ScenarioContext,
  { members = {}, tail = "", ending = {}, write = (text) => text }: SignedCase = {},
): Promise<{ callback: Callback; body: JsonObject; signature: Signature | undefined }> {
  const callback = await context.callback([200], tail);
  const message = ask(context, members, await pushRequestMembers(context, callback.url));
  const { id } = await submitPush(context, message, "a", write(JSON.stringify(message)));
  await resolveMessage(context, id, { resolution: "answered", value: "red", ...ending });
  const push = await awaitFirstPush(context, callback);
  return { callback, body: bodyOf(push), signature: signatureOf(push) };
}

/** Checks the signature of a task's push. The signed time is known only if the push contains `resolved_at`. */
async function checkTaskSignature(context: ScenarioContext): Promise<void> {
  const callback = await context.callback([200]);
  const checklist = [{ text: "Look.", done: true }];
  const ownTask = task(
    context,
    { state: { step: "task" } },
    { checklist, ...(await pushRequestMembers(context, callback.url)) },
  );
  const { id } = await submitPush(context, ownTask);
  await resolveMessage(context, id, { resolution: "completed", comment: "Done.", checklist });
  const push = await awaitFirstPush(context, callback);
  const [body, signature] = [bodyOf(push), signatureOf(push)];
  const key = await verificationKeyFor(context, callback);
  const coversTime = (resolvedAt?: Json): boolean =>
    signature !== undefined &&
    verifiesContext(
      { ...contextOf(body, callback.url, signature), ...(resolvedAt === undefined ? {} : { resolved_at: resolvedAt }) },
      signature,
      key,
    );
  if (isObject(body.response) && body.response.resolved_at !== undefined)
    return context.expect(
      "AHCP-SIG-007",
      coversTime(),
      "the signature of a task's push does not verify over the values in its body",
      push,
    );
  const why = "the push of a task does not contain the signed time, so its signature cannot be verified";
  context.expect("AHCP-SIG-007", coversTime("") || coversTime(null), why, "SHOULD", push);
}

/** Throws a TargetSkip if the signature has a wrong format, which AHCP-SIG-002 reports. */
function skipIfMalformed(arrival: Arrival | undefined): void {
  if (!hasSpecifiedForm(arrival?.headers["ahcp-signature"]))
    throw new TargetSkip("the signature header does not have the specified format, so it cannot be verified");
}

export const signatures: readonly Scenario[] = [
  {
    name: "signatures-always",
    says: "every push has a signature that has the specified format and verifies, with every scheme",
    rules: ["AHCP-SIG-001", "AHCP-SIG-002", "AHCP-SIG-006", "AHCP-SIG-003"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 500_000,
    async play(context) {
      const { signature_algs: algorithms } = await readPublished(context).catch((): JsonObject => ({}));
      const signedPushes: SignedPush[] = [];
      await forEachScheme(async (scheme) => {
        const callback = await context.callback([200]);
        if (scheme !== "hmac" && context.has("bind")) await bindHost(context, callback.url);
        const callbackWithoutAuth = { callback: { mode: "push", url: callback.url } };
        const block = scheme === null ? callbackWithoutAuth : await pushRequestMembers(context, callback.url, scheme);
        const { id } = await submitPush(context, ask(context, {}, block));
        await resolveMessage(context, id);
        // A hub may refuse to push without a shared key.
        if (scheme === null && !(await context.come(callback, 1, boundOf(context, "moved-push")))) return;
        const push = await awaitFirstPush(context, callback);
        const value = push.headers["ahcp-signature"];
        const isPresent = value !== undefined && value !== "";
        context.expect("AHCP-SIG-001", isPresent, `${withScheme(scheme)} a push is not signed`, push);
        if (!isPresent) return;
        context.expect("AHCP-SIG-002", specifiedForm.test(value), `the header is "${value}", not t=…,jti=…,v1=…`, push);
        const { bytes, v1 } = signatureOf(callback.arrivals[0]) ?? { bytes: Buffer.alloc(0), v1: "" };
        const algorithm = algorithmOf({ bytes });
        context.expect("AHCP-SIG-002", algorithm !== undefined, `v1 has ${bytes.length} bytes, not 32 or 64`, push);
        context.expect("AHCP-SIG-002", !v1.endsWith("="), "v1 is padded", "SHOULD", push);
        if (context.has("key")) signedPushes.push(await pushUnderScheme(context, callback, scheme));
        if (!Array.isArray(algorithms))
          return context.skip("AHCP-SIG-006", "the hub does not publish its signature_algs");
        if (algorithm === undefined) return;
        const why = `v1 has ${bytes.length} bytes, like a signature of ${algorithm}, which the hub does not publish`;
        context.expect("AHCP-SIG-006", algorithms.includes(algorithm), why, push);
      });
      judge(context, signedPushes);
    },
  },
  {
    name: "signatures-context",
    says: "the signature covers the pushed content, the callback URL and the answered message",
    rules: ["AHCP-SIG-003", "AHCP-SIG-004", "AHCP-SIG-005", "AHCP-SIG-007"],
    needs: [...pushNeeds, "resolve", "key"],
    withinMs: 500_000,
    async play(context) {
      const plainPush = await pushOutcome(context, { members: { state: { step: "one" } } });
      if (plainPush.signature === undefined) throw new TargetSkip("no readable signature has arrived");
      const key = await verificationKeyFor(context, plainPush.callback);
      requireSameAlgorithm(key, plainPush.signature);
      const isPlainVerified = verifiesPush(plainPush.body, plainPush.callback.url, plainPush.signature, key);
      if (!isPlainVerified) skipIfMalformed(plainPush.callback.arrivals[0]);
      const { rule, why } = findMistake(plainPush.body, plainPush.callback.url, plainPush.signature, key) ?? {
        rule: "AHCP-SIG-003",
        why: describeExpected(plainPush.body, plainPush.callback.url, plainPush.signature),
      };
      context.expect(
        isPlainVerified ? "AHCP-SIG-003" : rule,
        isPlainVerified,
        `the signature of a push ${why}`,
        plainPush.callback.arrivals[0],
      );
      if (!isPlainVerified) {
        const whyUnknown = "the simplest push does not verify, so no other case can be tested";
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
        const key = await verificationKeyFor(context, callback);
        const isVerified = signature !== undefined && verifiesPush(body, callback.url, signature, key);
        const mistake =
          signature === undefined || isVerified ? undefined : findMistake(body, callback.url, signature, key);
        const why = `${description}, the signature of a push ${mistake?.why ?? `does not verify: ${digestedText(body)}`}`;
        context.expect(mistake?.rule ?? caseRule, isVerified, why, callback.arrivals[0]);
      }
      await checkTaskSignature(context);
      const { in_reply_to: inReplyTo, resolution } = plainPush.body;
      context.expect(
        "AHCP-SIG-007",
        resolution === "answered" && inReplyTo !== undefined,
        "the push contains a different outcome",
        plainPush.callback.arrivals[0],
      );
    },
  },
  fixtureScenario({
    rule: "AHCP-SIG-010",
    fixture: dp001,
    expectedSignature: "t=1749050910,jti=jti_01HZX7Q9Z3DEMOFIX,v1=sGsoX7pEgPVFL24v4qocBp586SLQGWoh8Qt46LlSfPc",
    padding: "SHOULD",
  }),
  {
    name: "signatures-attempts",
    says: "each attempt has its own signature, with the time of the attempt",
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
      const clock = await clockOfPushes(context);
      let isWallClock = false;
      const dates = new AttemptDates();
      let before = await context.now();
      await resolveMessage(context, id);
      await awaitFirstPush(context, callback);
      const firstPushAt = await context.now();
      const verify = await verifier(context, callback);
      for (let number = 1; number <= failures.length; number++) {
        // Wait for a push in progress: its date is from before the clock is moved.
        if (number > 1) await context.come(callback, number, 60);
        // Some hubs send due pushes before they confirm that the clock was moved.
        if (number > 1 && callback.arrivals.length < number) before = await context.now();
        // Wait for the second attempt in small steps, to notice a date that is minutes old. Later attempts show a date that never changes.
        if (number > 2 && clock !== "left" && context.has("clock")) await context.pass(300_000);
        const startedAt = await context.now();
        // A push that has already arrived was sent earlier than this.
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
        // If the hub's clock differs from real time, the first attempt shows which of the two the hub signs.
        if (number === 1) isWallClock = byHub > maxDistanceSeconds && byWall <= maxDistanceSeconds;
        const ignoresJump = !isWallClock && number > 1 && byHub > maxDistanceSeconds && byUnmoved <= maxDistanceSeconds;
        if (ignoresJump && clock === "unknown") context.skip("AHCP-SIG-008", unknownClockReason);
        const offsetSeconds = isWallClock ? byWall : ignoresJump && clock !== "moved" ? byUnmoved : byHub;
        const whyAway = `attempt ${number} is dated ${offsetSeconds} s away from its arrival`;
        if (!ignoresJump || clock !== "unknown")
          context.expect("AHCP-SIG-008", offsetSeconds <= maxDistanceSeconds, whyAway, arrival);
        const [first] = callback.arrivals;
        const secondsLater = Math.round(arrival.at - (first?.at ?? 0)) / 1000;
        const isSame = signatureOf(first)?.t === t;
        const isOld = secondsLater > 3 && clock !== "left" && isSame;
        dates.add(t, arrival);
        const whyOld = `attempt ${number} repeats the t of the first, which arrived ${secondsLater} s earlier: after two minutes no attempt could be verified`;
        context.expect("AHCP-SIG-008", !isOld, whyOld, "SHOULD", arrival);
        const whyUsed = `attempt ${number} has a jti that was used before`;
        context.expect("AHCP-SIG-009", !usedNonces.has(jti), whyUsed, arrival);
        usedNonces.add(jti);
      }
      await judgeTwoPushes(context, usedNonces);
      dates.skipUnshown(context);
      skipWithoutAllAttempts(context, callback, ["AHCP-SIG-008", "AHCP-SIG-009", "AHCP-SIG-001", "AHCP-SIG-003"]);
    },
  },
];

/** Checks that the pushes of two messages have unused values of `jti`. */
async function judgeTwoPushes(context: ScenarioContext, usedNonces: Set<string>): Promise<void> {
  for (const push of await Promise.all([pushOutcome(context), pushOutcome(context)])) {
    const signature = parseOrSkip(context, push.signature, "a push");
    if (signature === undefined) continue;
    context.expect("AHCP-SIG-009", !usedNonces.has(signature.jti), "the pushes of two messages have the same jti");
    usedNonces.add(signature.jti);
  }
}

/** The signature, or undefined if it is unreadable: then the rules about its time and its jti are skipped. AHCP-SIG-002 reports the format. */
function parseOrSkip(context: ScenarioContext, signature: Signature | undefined, push: string): Signature | undefined {
  const why = `the header AHCP-Signature of ${push} cannot be parsed, so its time and its jti are not compared`;
  if (signature === undefined) for (const rule of ["AHCP-SIG-008", "AHCP-SIG-009"]) context.skip(rule, why);
  return signature;
}

/** The arrival time of an attempt, in milliseconds by several clocks. */
interface ArrivalTimes {
  /** The hub's clock before the attempt was due, and after it arrived. */
  before: number;
  now: number;
  wall: number;
  /** What the hub's clock would show if it had not been moved since the first attempt. */
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
