import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { openSubscription } from "../subscribing/open.ts";
import { countActions, evidenceOf } from "./actions.ts";
import { beginWaitingSession, hasActedInTime } from "./conduct.ts";
import { expire } from "./expiry.ts";
import { alterToken, forgeToken, mutateToken, timestampAfterDeadline } from "./forgery.ts";
import { mustBeIgnored, mustNotBeDone, rejectOpen } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  awaitContinuation,
  awaitEnd,
  awaitFence,
  makeClarification,
  makeConfirmation,
  sendReply,
} from "./session.ts";

/** Sends replies that must not count, each to a question of its own. A rejection then shows that the question is still open. */
async function expectIgnored(
  context: ScenarioContext,
  rule: string,
  ignoredReplies: readonly [what: string, reply: (asked: AskedSession) => Promise<JsonObject | string>][],
  startOptions: JsonObject = {},
): Promise<void> {
  const subscription = await openSubscription(context);
  for (const [what, reply] of ignoredReplies) {
    const asked = await beginWaitingSession(subscription, context, "irreversible", startOptions);
    // The producer may answer that there is no such question.
    const sentReply = await reply(asked);
    const httpReply = await subscription.send(sentReply);
    if (!(await mustBeIgnored(asked, sentReply, rule, what))) continue;
    // The status 503 means that the producer is overloaded, not that it is broken.
    const { status = 0 } = httpReply ?? {};
    const isHealthy = status < 500 || status === 503;
    context.expect(rule, isHealthy, `the answer to ${what} is HTTP ${status}, unlike others`, httpReply);
  }
}

export const replies: readonly Scenario[] = [
  toProducer({
    name: "reply-invalid",
    says: "a reply that its schema refuses is ignored",
    rules: ["AAEP-RPL-008"],
    play: (context) =>
      expectIgnored(context, "AAEP-RPL-008", [
        ["an acceptance with an unknown member", (asked) => makeConfirmation(asked, "accept", { urgent: true })],
        [
          "an acceptance without a timestamp",
          async (asked) => withoutMember(await makeConfirmation(asked, "accept"), "timestamp"),
        ],
        [
          "an acceptance without a subscription_id",
          async (asked) => withoutMember(await makeConfirmation(asked, "accept"), "subscription_id"),
        ],
        ["an acceptance by number", (asked) => makeConfirmation(asked, "accept", { decided_by: 7 })],
        ...drawFor(context).some(invalidReplies, 2),
        ...drawFor(context).some(wrongDecisions, 3).map(withDecision),
      ]),
  }),
  toProducer({
    name: "reply-forged",
    says: "a reply with a token that was never issued is ignored",
    rules: ["AAEP-RPL-009"],
    play: (context) =>
      expectIgnored(context, "AAEP-RPL-009", [
        ["an invented token", (asked) => makeConfirmation(asked, "accept", { reply_token: forgeToken(context) })],
        ...["another last character", "another case", "its end missing", "a space after it"].map(
          (_, index) =>
            [
              "an altered token",
              (asked: AskedSession) => {
                const [, token] = mutateToken(asked.token)[index] ?? ["", forgeToken(context)];
                return makeConfirmation(asked, "accept", { reply_token: token });
              },
            ] as [string, (asked: AskedSession) => Promise<JsonObject>],
        ),
        [
          "a token with another character",
          (asked) => makeConfirmation(asked, "accept", { reply_token: alterToken(asked.token, drawFor(context)) }),
        ],
        ["a list of tokens", (asked) => makeConfirmation(asked, "accept", { reply_token: [asked.token] })],
        ["a number for a token", (asked) => makeConfirmation(asked, "accept", { reply_token: 7 })],
      ]),
  }),
  toProducer({
    name: "reply-stale",
    says: "a used token has no effect, for its own question or a later one",
    rules: ["AAEP-RPL-010"],
    async play(context) {
      const subscription = await openSubscription(context);
      const firstSession = await beginWaitingSession(subscription, context, "irreversible");
      const acceptance = await makeConfirmation(firstSession, "accept");
      await sendReply(subscription, acceptance);
      if ((await awaitEnd(firstSession)) === undefined)
        return context.skip("AAEP-RPL-010", "an acceptance had no effect, so that its token is not used");
      await hasActedInTime(firstSession);
      const countsOnce = await countActions(firstSession);
      if ([...countsOnce.values()].some((times) => times > 1))
        return context.skip("AAEP-RPL-010", "an action that was accepted once is carried out several times");
      const repeatedSession = await beginWaitingSession(subscription, context, "irreversible");
      for (const decision of ["accept", "accept", "reject"])
        await subscription.send(await makeConfirmation(repeatedSession, decision));
      await awaitEnd(repeatedSession);
      const secondSession = await beginWaitingSession(subscription, context, "irreversible");
      await subscription.send(acceptance);
      await subscription.send(await makeConfirmation(firstSession, "accept"));
      await mustBeIgnored(secondSession, acceptance, "AAEP-RPL-010", "a used token");
      for (const asked of [firstSession, repeatedSession])
        for (const [tool, times] of await countActions(asked)) {
          if (times <= 1) continue;
          const why = `${tool} was called ${times} times on one acceptance, sent repeatedly`;
          context.expect("AAEP-RPL-010", false, why, evidenceOf(asked));
        }
    },
  }),
  toProducer({
    name: "reply-late",
    says: "a reply after the deadline of its question is ignored, and so is a reply with such a timestamp",
    rules: ["AAEP-RPL-011"],
    waits: 6000,
    async play(context) {
      const draw = drawFor(context);
      await expectIgnored(context, "AAEP-RPL-011", [
        [
          "an acceptance stamped after the deadline",
          (asked) =>
            makeConfirmation(asked, "accept", {
              timestamp: timestampAfterDeadline(asked, draw.one([1, draw.between(2, 600)])),
            }),
        ],
        [
          "an acceptance stamped after the deadline, in a time zone of the far west",
          (asked) =>
            makeConfirmation(asked, "accept", { timestamp: timestampAfterDeadline(asked, 60, draw.between(-12, -1)) }),
        ],
      ]);
      await replyAtDeadline(context);
      const seconds = 2;
      const asked = await beginWaitingSession(await openSubscription(context), context, "irreversible", {
        timeout_seconds: seconds,
      });
      await expire(asked, 3000);
      if ((await awaitContinuation(asked)) === undefined)
        return context.skip("AAEP-RPL-011", "the question did not expire, so that no reply came after its deadline");
      await awaitEnd(asked);
      if (await hasActedInTime(asked)) return context.skip("AAEP-RPL-011", "it acted at the deadline");
      const lateReplies = [
        await makeConfirmation(asked, "accept"),
        await makeConfirmation(asked, "accept", { timestamp: timestampAfterDeadline(asked, -1) }),
      ];
      for (const lateReply of lateReplies) await asked.subscription.send(lateReply);
      await awaitFence(asked.subscription, context);
      const why = "an acceptance after the deadline was carried out";
      await mustNotBeDone(asked, { rule: "AAEP-RPL-011", why, replies: lateReplies });
    },
  }),
  toProducer({
    name: "reply-not-allowed",
    says: "a decision that the question does not allow is ignored",
    rules: ["AAEP-RPL-013"],
    async play(context) {
      const startOptions = { allowed_replies: ["reject"] };
      const subscription = await openSubscription(context);
      const asked = await beginWaitingSession(subscription, context, "irreversible", startOptions);
      const { allowed_replies: allowedReplies } = asked.question;
      if (!Array.isArray(allowedReplies) || allowedReplies.includes("accept"))
        return context.skip("AAEP-RPL-013", "its questions allow both decisions");
      const reply = await makeConfirmation(asked, "accept");
      await subscription.send(reply);
      await mustBeIgnored(asked, reply, "AAEP-RPL-013", "an acceptance that the question does not allow");
    },
  }),
  toProducer({
    name: "reply-of-other-kind",
    says: "a clarification reply does not settle a confirmation, nor a confirmation reply a clarification",
    rules: ["AAEP-RPL-020"],
    async play(context) {
      await expectIgnored(context, "AAEP-RPL-020", [
        ["a clarification reply that says accept", (asked) => makeClarification(asked, "accept")],
        ["a clarification reply that says true", (asked) => makeClarification(asked, true)],
        [
          "another clarification reply",
          (asked) => makeClarification(asked, drawFor(context).one(["yes", "Accept", 1, "ok"])),
        ],
      ]);
    },
  }),
];

/** Expects that a reply at the deadline is ignored. A producer may omit digits of its clock, which moves its deadline a little, so the result is at most a warning. */
async function replyAtDeadline(context: ScenarioContext): Promise<void> {
  const subscription = await openSubscription(context);
  const asked = await beginWaitingSession(subscription, context, "irreversible");
  const reply = await makeConfirmation(asked, "accept", { timestamp: timestampAfterDeadline(asked, 0) });
  await subscription.send(reply);
  await awaitFence(subscription, context);
  const why = "an acceptance stamped exactly at the deadline was carried out";
  await mustNotBeDone(asked, { rule: "AAEP-RPL-011", why, replies: [reply], level: "SHOULD" });
  await rejectOpen(asked);
}

/** Further acceptances that are invalid under their schema. */
const invalidReplies: readonly [what: string, reply: (asked: AskedSession) => Promise<JsonObject>][] = [
  ["an acceptance that names its session", (asked) => makeConfirmation(asked, "accept", { session_id: asked.id })],
  [
    "an acceptance with another subscription_id",
    (asked) => makeConfirmation(asked, "accept", { subscription_id: "7" }),
  ],
  ["an acceptance by no subscription", (asked) => makeConfirmation(asked, "accept", { decided_by: "" })],
  ["an acceptance with an empty rationale", (asked) => makeConfirmation(asked, "accept", { decision_rationale: "" })],
  [
    "an acceptance with a number for a correlation",
    (asked) => makeConfirmation(asked, "accept", { correlation_id: 7 }),
  ],
  ["an acceptance of yesterday", (asked) => makeConfirmation(asked, "accept", { timestamp: "yesterday" })],
  ["an acceptance with a number for a time", (asked) => makeConfirmation(asked, "accept", { timestamp: Date.now() })],
];

/** Decisions that a lenient producer may read as `accept`. */
const wrongDecisions = [
  "Accept",
  "ACCEPT",
  "accept ",
  "accepted",
  "approve",
  "approved",
  "allow",
  "yes",
  "ok",
  "true",
  true,
  1,
];

function withDecision(decision: Json): [what: string, reply: (asked: AskedSession) => Promise<JsonObject>] {
  return [`the decision ${JSON.stringify(decision)}`, (asked) => makeConfirmation(asked, "accept", { decision })];
}

function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([memberName]) => memberName !== name));
}
