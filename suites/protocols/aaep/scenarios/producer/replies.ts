import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { openSubscription } from "../subscribing/open.ts";
import { countActions, evidenceOf } from "./actions.ts";
import { beginWaitingSession, hasActedInTime } from "./conduct.ts";
import { expireQuestion } from "./expiry.ts";
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

/** Sends replies that must not count, each to a new question. A rejection then shows that the question is still open. */
async function expectIgnored(
  context: ScenarioContext,
  rule: string,
  ignoredReplies: readonly [
    description: string,
    makeReply: (askedSession: AskedSession) => Promise<JsonObject | string>,
  ][],
  startOptions: JsonObject = {},
): Promise<void> {
  const subscription = await openSubscription(context);
  for (const [description, makeReply] of ignoredReplies) {
    const askedSession = await beginWaitingSession(subscription, context, "irreversible", startOptions);
    // The producer may answer that there is no such question.
    const sentReply = await makeReply(askedSession);
    const httpReply = await subscription.send(sentReply);
    if (!(await mustBeIgnored(askedSession, sentReply, rule, description))) continue;
    // The status 503 means that the producer is overloaded, not that it is broken.
    const { status = 0 } = httpReply ?? {};
    const isHealthy = status < 500 || status === 503;
    context.expect(rule, isHealthy, `the answer to ${description} is HTTP ${status}, unlike others`, httpReply);
  }
}

export const replyScenarios: readonly Scenario[] = [
  toProducer({
    name: "reply-invalid",
    says: "a reply that is invalid under its schema is ignored",
    rules: ["AAEP-RPL-008"],
    play: (context) =>
      expectIgnored(context, "AAEP-RPL-008", [
        [
          "an acceptance with an unknown member",
          (askedSession) => makeConfirmation(askedSession, "accept", { urgent: true }),
        ],
        [
          "an acceptance without a timestamp",
          async (askedSession) => withoutMember(await makeConfirmation(askedSession, "accept"), "timestamp"),
        ],
        [
          "an acceptance without a subscription_id",
          async (askedSession) => withoutMember(await makeConfirmation(askedSession, "accept"), "subscription_id"),
        ],
        ["an acceptance by number", (askedSession) => makeConfirmation(askedSession, "accept", { decided_by: 7 })],
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
        [
          "an invented token",
          (askedSession) => makeConfirmation(askedSession, "accept", { reply_token: forgeToken(context) }),
        ],
        // Each of the four mutations.
        ...[0, 1, 2, 3].map(
          (index) =>
            [
              "an altered token",
              (askedSession: AskedSession) => {
                const [, token] = mutateToken(askedSession.token)[index] ?? ["", forgeToken(context)];
                return makeConfirmation(askedSession, "accept", { reply_token: token });
              },
            ] as [string, (askedSession: AskedSession) => Promise<JsonObject>],
        ),
        [
          "a token with another character",
          (askedSession) =>
            makeConfirmation(askedSession, "accept", { reply_token: alterToken(askedSession.token, drawFor(context)) }),
        ],
        [
          "a list of tokens",
          (askedSession) => makeConfirmation(askedSession, "accept", { reply_token: [askedSession.token] }),
        ],
        ["a number for a token", (askedSession) => makeConfirmation(askedSession, "accept", { reply_token: 7 })],
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
        return context.skip("AAEP-RPL-010", "an acceptance had no effect, so its token is not used up");
      await hasActedInTime(firstSession);
      const firstCounts = await countActions(firstSession);
      if ([...firstCounts.values()].some((times) => times > 1))
        return context.skip("AAEP-RPL-010", "an action that was accepted once is carried out several times");
      const repeatedSession = await beginWaitingSession(subscription, context, "irreversible");
      for (const decision of ["accept", "accept", "reject"])
        await subscription.send(await makeConfirmation(repeatedSession, decision));
      await awaitEnd(repeatedSession);
      const secondSession = await beginWaitingSession(subscription, context, "irreversible");
      await subscription.send(acceptance);
      await subscription.send(await makeConfirmation(firstSession, "accept"));
      await mustBeIgnored(secondSession, acceptance, "AAEP-RPL-010", "a used token");
      for (const askedSession of [firstSession, repeatedSession])
        for (const [tool, times] of await countActions(askedSession)) {
          if (times <= 1) continue;
          const why = `${tool} was called ${times} times on one acceptance, sent repeatedly`;
          context.expect("AAEP-RPL-010", false, why, evidenceOf(askedSession));
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
          (askedSession) =>
            makeConfirmation(askedSession, "accept", {
              timestamp: timestampAfterDeadline(askedSession, draw.one([1, draw.between(2, 600)])),
            }),
        ],
        [
          "an acceptance stamped after the deadline, in a time zone of the far west",
          (askedSession) =>
            makeConfirmation(askedSession, "accept", {
              timestamp: timestampAfterDeadline(askedSession, 60, draw.between(-12, -1)),
            }),
        ],
      ]);
      await replyAtDeadline(context);
      const seconds = 2;
      const askedSession = await beginWaitingSession(await openSubscription(context), context, "irreversible", {
        timeout_seconds: seconds,
      });
      await expireQuestion(askedSession, 3000);
      if ((await awaitContinuation(askedSession)) === undefined)
        return context.skip("AAEP-RPL-011", "the question did not expire, so no reply was sent after its deadline");
      await awaitEnd(askedSession);
      if (await hasActedInTime(askedSession)) return context.skip("AAEP-RPL-011", "it acted at the deadline");
      const lateReplies = [
        await makeConfirmation(askedSession, "accept"),
        await makeConfirmation(askedSession, "accept", { timestamp: timestampAfterDeadline(askedSession, -1) }),
      ];
      for (const lateReply of lateReplies) await askedSession.subscription.send(lateReply);
      await awaitFence(askedSession.subscription, context);
      const why = "an acceptance after the deadline was carried out";
      await mustNotBeDone(askedSession, { rule: "AAEP-RPL-011", why, replies: lateReplies });
    },
  }),
  toProducer({
    name: "reply-not-allowed",
    says: "a decision that the question does not allow is ignored",
    rules: ["AAEP-RPL-013"],
    async play(context) {
      const startOptions = { allowed_replies: ["reject"] };
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible", startOptions);
      const { allowed_replies: allowedReplies } = askedSession.question;
      if (!Array.isArray(allowedReplies) || allowedReplies.includes("accept"))
        return context.skip("AAEP-RPL-013", "its questions allow both decisions");
      const reply = await makeConfirmation(askedSession, "accept");
      await subscription.send(reply);
      await mustBeIgnored(askedSession, reply, "AAEP-RPL-013", "an acceptance that the question does not allow");
    },
  }),
  toProducer({
    name: "reply-of-other-kind",
    says: "a clarification reply does not settle a confirmation, nor a confirmation reply a clarification",
    rules: ["AAEP-RPL-020"],
    async play(context) {
      await expectIgnored(context, "AAEP-RPL-020", [
        ["a clarification reply that says accept", (askedSession) => makeClarification(askedSession, "accept")],
        ["a clarification reply that says true", (askedSession) => makeClarification(askedSession, true)],
        [
          "another clarification reply",
          (askedSession) => makeClarification(askedSession, drawFor(context).one(["yes", "Accept", 1, "ok"])),
        ],
      ]);
    },
  }),
];

/** Expects that a reply at the deadline is ignored. Rounded timestamps may move a deadline, so the result is at most a warning. */
async function replyAtDeadline(context: ScenarioContext): Promise<void> {
  const subscription = await openSubscription(context);
  const askedSession = await beginWaitingSession(subscription, context, "irreversible");
  const reply = await makeConfirmation(askedSession, "accept", { timestamp: timestampAfterDeadline(askedSession, 0) });
  await subscription.send(reply);
  await awaitFence(subscription, context);
  const why = "an acceptance stamped exactly at the deadline was carried out";
  await mustNotBeDone(askedSession, { rule: "AAEP-RPL-011", why, replies: [reply], level: "SHOULD" });
  await rejectOpen(askedSession);
}

/** Acceptances that violate the schema of replies. */
const invalidReplies: readonly [description: string, makeReply: (askedSession: AskedSession) => Promise<JsonObject>][] =
  [
    [
      "an acceptance that names its session",
      (askedSession) => makeConfirmation(askedSession, "accept", { session_id: askedSession.id }),
    ],
    [
      "an acceptance with another subscription_id",
      (askedSession) => makeConfirmation(askedSession, "accept", { subscription_id: "7" }),
    ],
    [
      "an acceptance by no subscription",
      (askedSession) => makeConfirmation(askedSession, "accept", { decided_by: "" }),
    ],
    [
      "an acceptance with an empty rationale",
      (askedSession) => makeConfirmation(askedSession, "accept", { decision_rationale: "" }),
    ],
    [
      "an acceptance with a number for a correlation",
      (askedSession) => makeConfirmation(askedSession, "accept", { correlation_id: 7 }),
    ],
    [
      'an acceptance with the timestamp "yesterday"',
      (askedSession) => makeConfirmation(askedSession, "accept", { timestamp: "yesterday" }),
    ],
    [
      "an acceptance with a number for a time",
      (askedSession) => makeConfirmation(askedSession, "accept", { timestamp: Date.now() }),
    ],
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

function withDecision(
  decision: Json,
): [description: string, makeReply: (askedSession: AskedSession) => Promise<JsonObject>] {
  return [
    `the decision ${JSON.stringify(decision)}`,
    (askedSession) => makeConfirmation(askedSession, "accept", { decision }),
  ];
}

function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([memberName]) => memberName !== name));
}
