import {
  hookAnswer,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { unscaledBound } from "../bounds.ts";
import { scriptOf } from "../producing/events.ts";
import { connectSubscriber, openTestStand, placesOf } from "../producing/test-stand.ts";
import { mustClaim } from "../subscribing/producer-facts.ts";
import {
  awaitFence,
  type ContextOptions,
  decideQuestion,
  isOf,
  mustGoOn,
  options,
  promptQuestion,
  readShown,
  sendEvent,
  toSubscriber,
  waitUntilListed,
  waitUntilPresented,
  waitUntilUnprompted,
} from "./story.ts";

/** Changes of terms, and the ends of connections. */
export const leavingScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "requests-sent",
    says: "a subscription begins with a valid request",
    rules: ["AAEP-HS-015", "AAEP-HS-001", "AAEP-HS-014"],
    needs: [],
    async play(context) {
      mustClaim(context, 3);
      const { producer } = await options(context, { languages: ["en"], exclude: ["aaep:agent.progress.*"] });
      const [request] = producer.requests;
      if (request === undefined)
        throw new TargetSkip("it makes no handshake, and options.level is the level that it claims");
      const isAsked = isObject(request.capabilities);
      const asked = JSON.stringify(request.capabilities ?? null);
      context.expect("AAEP-HS-015", isAsked, `its request has no object of capabilities, but ${asked}`);
      if (!isAsked) {
        for (const rule of ["AAEP-HS-001", "AAEP-HS-014"]) context.skip(rule, "there are no capabilities to examine");
        return;
      }
      const found = await context.violations("subscription.request", request);
      const shape = found.find(({ site }) => site !== undefined);
      context.expect("AAEP-HS-001", shape === undefined, `the request is not valid: ${shape?.at} ${shape?.why}`);
      const claim = found.find(({ rule }) => rule === "AAEP-HS-014");
      context.expect("AAEP-HS-014", claim === undefined, `the request ${claim?.why}`);
    },
  }),
  toSubscriber({
    name: "terms-in-flight",
    says: "events that were sent under the old terms do no harm",
    rules: ["AAEP-HS-021", "AAEP-HS-025"],
    needs: ["change", "presented"],
    async play(context) {
      mustClaim(context, 3);
      const given = await options(context);
      const { producer } = given;
      await context.hook("change", { exclude: ["aaep:agent.progress.*", "aaep:agent.state.*"] });
      const isChange = ({ type }: JsonObject): boolean => type === "subscription.renegotiate";
      if (!(await producer.until(() => producer.messages.some(isChange))))
        throw new TargetSkip("it asks for no new terms");
      await mustName(context, producer.messages.find(isChange));
      sendEvent(given, "state.changed");
      sendEvent(given, "progress.updated");
      const why = "nothing is presented after events under the old terms";
      context.expect("AAEP-HS-021", await awaitFence(given), why);
    },
  }),
  toSubscriber({
    name: "closed-before-leaving",
    says: "a subscription is closed before its connection",
    rules: ["AAEP-HS-024", "AAEP-HS-025"],
    needs: ["disconnect"],
    async play(context) {
      mustClaim(context, 3);
      const { producer } = await options(context);
      if (producer.requests.length === 0)
        throw new TargetSkip("it makes no handshake, so that there is nothing to close");
      await context.hook("disconnect", {});
      if (!(await producer.until(() => producer.streams.left > 0))) throw new TargetSkip("it does not disconnect");
      const close = producer.messages.find(isClose);
      context.expect("AAEP-HS-024", close !== undefined, "it disconnects without a subscription.close");
      await mustName(context, close);
    },
  }),
  toSubscriber({
    name: "lost-connections",
    says: "the subscriber survives a lost connection, and sends nothing more for it",
    rules: ["AAEP-HS-027"],
    needs: ["presented", "decide"],
    async play(context) {
      const given = await options(context);
      await mustBeOver(given, "AAEP-HS-027", () => given.producer.cut(), {
        kept: "the question of a lost connection is still among those that the user can answer",
        deaf: "after a lost connection it presents nothing of another one",
        sent: "a reply was sent for a subscription with a lost connection",
      });
    },
  }),
  toSubscriber({
    name: "closed-by-producer",
    says: "a subscription that its producer has closed is over, and nothing more is sent for it",
    rules: ["AAEP-TRN-006"],
    needs: ["presented", "decide"],
    async play(context) {
      const given = await options(context);
      const { producer } = given;
      if (producer.requests.length === 0)
        throw new TargetSkip("it makes no handshake, so that there is nothing to close");
      await mustBeOver(given, "AAEP-TRN-006", () => producer.leave(), {
        kept: "the question of a subscription that its producer has closed is still among those that the user can answer",
        deaf: "after its producer has closed a subscription it presents nothing of another one",
        sent: "a reply was sent for a subscription that its producer has closed",
        back: "it subscribes again, and may answer there, so its reaction to the close does not show",
      });
    },
  }),
  toSubscriber({
    name: "signatures-checked",
    says: "a subscriber that requires signed manifests accepts none with a wrong signature",
    rules: ["AAEP-MAN-005"],
    async play(context) {
      mustClaim(context, 3);
      const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      const manifest = { type: "aaep:producer.manifest", agent_id: "touchstone-producer" };
      const bad: [what: string, text: string][] = [
        ["not signed at all", `${part({ alg: "none" })}.${part(manifest)}.AA`],
        [
          "signed by an unknown key",
          `${part({ alg: "ES256" })}.${part(manifest)}.${Buffer.alloc(64, 7).toString("base64url")}`,
        ],
      ];
      for (const [what, signed_manifest] of bad) {
        const producer = await openTestStand(context, { signed_manifest }, signed_manifest);
        await context.hook("connect", { ...placesOf(context, producer), signed_only: true });
        await producer.until(() => producer.requests.length > 0);
        const asked = JSON.stringify(producer.requests.at(-1) ?? {});
        if (!asked.includes('"accept_signed_manifests_only":true'))
          throw new TargetSkip("its request does not require signed manifests");
        const event = scriptOf(context).event("session.started");
        // A subscriber with one connection at a time leaves this one for another. It must have been seen on this one before.
        const { streams, messages } = producer;
        const isOut = (): boolean => streams.left > 0 || messages.some(isClose);
        await producer.until(() => streams.opened > 0 || isOut());
        if (!(await producer.until(isOut, 500)) && streams.opened > 0) {
          producer.emit(event);
          await waitUntilPresented(context, event);
        }
        const early = (await readShown(context)).items;
        // By the time that another producer is heard, this one would have been, too.
        const other = await options(context);
        producer.emit(event);
        await mustGoOn(other);
        const isHeard = [...early, ...(await readShown(context)).items].some(isOf(event));
        context.expect("AAEP-MAN-005", !isHeard, `it presents events of a producer with a manifest that is ${what}`);
      }
    },
  }),
];

/** A connection ends while a question is open: the subscriber survives it, and the question disappears, unless the subscriber comes back. */
async function mustBeOver(
  given: ContextOptions,
  rule: string,
  ends: () => void,
  why: { kept: string; deaf: string; sent: string; back?: string },
): Promise<void> {
  const { context, producer } = given;
  const event = await promptQuestion(given);
  const isListed = await waitUntilListed(context, event);
  const { opened } = producer.streams;
  const { length: asked } = producer.requests;
  ends();
  // A subscriber that comes back has a connection again, and may answer.
  const back = (): boolean => producer.streams.opened > opened || producer.requests.length > asked;
  const isFreed =
    (await producer.until(back, 1500)) ||
    (await waitUntilUnprompted(context, event, unscaledBound(context, "subscriber")));
  const isBack = back();
  // A subscriber that intends to come back may keep the question until then.
  if (!isBack && isListed) context.expect(rule, isFreed, why.kept, "SHOULD");
  const accept = { event_id: event.event_id ?? "", reply_token: event.reply_token ?? "", decision: "accept" };
  if (!isBack) await context.hook("decide", accept);
  const another = await openTestStand(context);
  await connectSubscriber(context, another);
  const next = { context, producer: another, script: scriptOf(context) };
  another.emit(next.script.event("session.started"));
  const isUp = await awaitFence(next);
  context.expect(rule, isUp, why.deaf);
  if (isBack && why.back !== undefined) return context.skip(rule, why.back);
  if (isBack || !isUp) return;
  const later = await decideQuestion(next, await promptQuestion(next), { decision: "reject" });
  if (later === undefined && !isListed) return context.skip(rule, unlistedPrompts, hookAnswer("presented"));
  if (later === undefined) return;
  const reply = producer.messages.find(({ type }) => type === "confirmation.reply");
  context.expect(rule, reply === undefined, why.sent);
}

const unlistedPrompts = "`presented` lists no prompts, and no reply comes after a user's decision";

function isClose({ type }: JsonObject): boolean {
  return type === "subscription.close";
}

/** Checks that a change or a close names its subscription. */
async function mustName(context: ScenarioContext, message: JsonObject | undefined): Promise<void> {
  if (message === undefined) return context.skip("AAEP-HS-025", "it sends none");
  const [fault] = await context.violations("subscription-change", message);
  context.expect("AAEP-HS-025", fault === undefined, `its ${message.type} ${fault?.why}`);
}
