import {
  hookAnswer,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { unscaledBound } from "../bounds.ts";
import { createScript } from "../producing/events.ts";
import { connectSubscriber, openTestStand } from "../producing/test-stand.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import {
  awaitFence,
  connect,
  decideQuestion,
  promptQuestion,
  type SubscriberSession,
  sendEvent,
  toSubscriber,
  waitUntilPrompted,
  waitUntilUnprompted,
} from "./session.ts";

/** Scenarios on requests, changes of terms, and the ends of connections. */
export const connectionEndScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "requests-sent",
    says: "a subscription begins with a valid request",
    rules: ["AAEP-HS-015", "AAEP-HS-001", "AAEP-HS-014"],
    needs: [],
    async play(context) {
      requireLevel(context, 3);
      const { producer } = await connect(context, { languages: ["en"], exclude: ["aaep:agent.progress.*"] });
      const [request] = producer.requests;
      if (request === undefined)
        throw new TargetSkip("it does not make a handshake, and options.level is the level that it claims");
      const hasCapabilities = isObject(request.capabilities);
      const requestedText = JSON.stringify(request.capabilities ?? null);
      context.expect(
        "AAEP-HS-015",
        hasCapabilities,
        `the capabilities of its request are not an object, but ${requestedText}`,
      );
      if (!hasCapabilities) {
        for (const rule of ["AAEP-HS-001", "AAEP-HS-014"]) context.skip(rule, "there are no capabilities to examine");
        return;
      }
      const violations = await context.violations("subscription.request", request);
      const schemaViolation = violations.find(({ site }) => site !== undefined);
      context.expect(
        "AAEP-HS-001",
        schemaViolation === undefined,
        `the request is not valid: ${schemaViolation?.at} ${schemaViolation?.why}`,
      );
      const claimViolation = violations.find(({ rule }) => rule === "AAEP-HS-014");
      context.expect("AAEP-HS-014", claimViolation === undefined, `the request ${claimViolation?.why}`);
    },
  }),
  toSubscriber({
    name: "terms-in-flight",
    says: "events that were sent under the old terms do no harm",
    rules: ["AAEP-HS-021", "AAEP-HS-025"],
    needs: ["change", "presented"],
    async play(context) {
      requireLevel(context, 3);
      const session = await connect(context);
      const { producer } = session;
      await context.hook("change", { exclude: ["aaep:agent.progress.*", "aaep:agent.state.*"] });
      const isChange = ({ type }: JsonObject): boolean => type === "subscription.renegotiate";
      if (!(await producer.waitUntil(() => producer.messages.some(isChange))))
        throw new TargetSkip("it does not ask for new terms");
      await mustNameSubscription(context, producer.messages.find(isChange));
      sendEvent(session, "state.changed");
      sendEvent(session, "progress.updated");
      const why = "nothing is presented after events under the old terms";
      context.expect("AAEP-HS-021", await awaitFence(session), why);
    },
  }),
  toSubscriber({
    name: "closed-before-leaving",
    says: "a subscription is closed before its connection",
    rules: ["AAEP-HS-024", "AAEP-HS-025"],
    needs: ["disconnect"],
    async play(context) {
      requireLevel(context, 3);
      const { producer } = await connect(context);
      if (producer.requests.length === 0)
        throw new TargetSkip("it does not make a handshake, so there is nothing to close");
      await context.hook("disconnect", {});
      if (!(await producer.waitUntil(() => producer.streams.ended > 0))) throw new TargetSkip("it does not disconnect");
      const close = producer.messages.find(isClose);
      context.expect("AAEP-HS-024", close !== undefined, "it disconnects without a subscription.close");
      await mustNameSubscription(context, close);
    },
  }),
  toSubscriber({
    name: "lost-connections",
    says: "the subscriber survives a lost connection, and sends nothing more for it",
    rules: ["AAEP-HS-027"],
    needs: ["presented", "decide"],
    async play(context) {
      const session = await connect(context);
      await mustEndQuestion(session, "AAEP-HS-027", () => session.producer.cut(), {
        stillListed: "the question of a lost connection is still among those that the user can answer",
        presentsNothing: "after a lost connection it presents nothing from another one",
        replySent: "a reply was sent for a subscription with a lost connection",
      });
    },
  }),
  toSubscriber({
    name: "closed-by-producer",
    says: "a subscription that its producer has closed is over, and nothing more is sent for it",
    rules: ["AAEP-TRN-006"],
    needs: ["presented", "decide"],
    async play(context) {
      const session = await connect(context);
      const { producer } = session;
      if (producer.requests.length === 0)
        throw new TargetSkip("it does not make a handshake, so there is nothing to close");
      await mustEndQuestion(session, "AAEP-TRN-006", () => producer.closeSubscription(), {
        stillListed:
          "the question of a subscription that its producer has closed is still among those that the user can answer",
        presentsNothing: "after its producer has closed a subscription it presents nothing from another one",
        replySent: "a reply was sent for a subscription that its producer has closed",
        subscribesAgain: "it subscribes again and may answer there, so its reaction to the close cannot be seen",
      });
    },
  }),
];

/** Ends a connection while a question is open. Expects that the subscriber continues, and that it removes the question unless it connects again. */
async function mustEndQuestion(
  session: SubscriberSession,
  rule: string,
  endConnection: () => void,
  reasons: { stillListed: string; presentsNothing: string; replySent: string; subscribesAgain?: string },
): Promise<void> {
  const { context, producer } = session;
  const event = await promptQuestion(session);
  const isListed = await waitUntilPrompted(context, event);
  const { opened: openedBefore } = producer.streams;
  const { length: requestsBefore } = producer.requests;
  endConnection();
  // A subscriber that has connected again may answer.
  const hasReturned = (): boolean =>
    producer.streams.opened > openedBefore || producer.requests.length > requestsBefore;
  const isUnlistedOrBack =
    (await producer.waitUntil(hasReturned, 1500)) ||
    (await waitUntilUnprompted(context, event, unscaledBound(context, "subscriber")));
  const isConnectedAgain = hasReturned();
  // A subscriber that intends to connect again may keep the question until then.
  if (!isConnectedAgain && isListed) context.expect(rule, isUnlistedOrBack, reasons.stillListed, "SHOULD");
  const acceptance = { event_id: event.event_id ?? "", reply_token: event.reply_token ?? "", decision: "accept" };
  if (!isConnectedAgain) await context.hook("decide", acceptance);
  const otherProducer = await openTestStand(context);
  await connectSubscriber(context, otherProducer);
  const otherSession = { context, producer: otherProducer, script: createScript(context) };
  otherProducer.emit(otherSession.script.event("session.started"));
  const isAlive = await awaitFence(otherSession);
  context.expect(rule, isAlive, reasons.presentsNothing);
  if (isConnectedAgain && reasons.subscribesAgain !== undefined) return context.skip(rule, reasons.subscribesAgain);
  if (isConnectedAgain || !isAlive) return;
  const laterReply = await decideQuestion(otherSession, await promptQuestion(otherSession), { decision: "reject" });
  if (laterReply === undefined && !isListed) return context.skip(rule, unlistedPrompts, hookAnswer("presented"));
  if (laterReply === undefined) return;
  const reply = producer.messages.find(({ type }) => type === "confirmation.reply");
  context.expect(rule, reply === undefined, reasons.replySent);
}

const unlistedPrompts = "`presented` does not list prompts, and no reply arrives after a user's decision";

function isClose({ type }: JsonObject): boolean {
  return type === "subscription.close";
}

/** Expects that a change or a close names its subscription. */
async function mustNameSubscription(context: ScenarioContext, message: JsonObject | undefined): Promise<void> {
  if (message === undefined) return context.skip("AAEP-HS-025", "it does not send such a message");
  const [fault] = await context.violations("subscription-change", message);
  context.expect("AAEP-HS-025", fault === undefined, `its ${message.type} ${fault?.why}`);
}
