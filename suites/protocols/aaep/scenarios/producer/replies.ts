import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { openLine } from "../subscribing/open.ts";
import { doneIn, shownBy } from "./acting.ts";
import { askedOf, isDoneInTime } from "./conduct.ts";
import { expire } from "./expiry.ts";
import { alterToken, mutations, stampOf, tokenOf } from "./forgery.ts";
import { mustBeIgnored, mustNotBeDone, rejectOpen } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  answer,
  awaitContinuation,
  awaitEnd,
  awaitFence,
  clarification,
  confirmation,
} from "./story.ts";

/** Sends replies that must not count, each to its own question; then a rejection shows that the question is still open. */
async function mustIgnore(
  context: ScenarioContext,
  rule: string,
  bad: readonly [what: string, reply: (asked: AskedSession) => Promise<JsonObject | string>][],
  more: JsonObject = {},
): Promise<void> {
  const line = await openLine(context);
  for (const [what, reply] of bad) {
    const asked = await askedOf(line, context, "irreversible", more);
    // The answer may pretend that there is no question.
    const sent = await reply(asked);
    const said = await line.send(sent);
    if (!(await mustBeIgnored(asked, sent, rule, what))) continue;
    // An overloaded producer says 503, and is not broken.
    const { status = 0 } = said ?? {};
    const isSound = status < 500 || status === 503;
    context.expect(rule, isSound, `the answer to ${what} is HTTP ${status}, unlike others`, said);
  }
}

export const replies: readonly Scenario[] = [
  toProducer({
    name: "reply-invalid",
    says: "a reply that its schema refuses is ignored",
    rules: ["AAEP-RPL-008"],
    play: (context) =>
      mustIgnore(context, "AAEP-RPL-008", [
        ["an acceptance with an unknown member", (asked) => confirmation(asked, "accept", { urgent: true })],
        [
          "an acceptance without a timestamp",
          async (asked) => withoutMember(await confirmation(asked, "accept"), "timestamp"),
        ],
        [
          "an acceptance without a subscription_id",
          async (asked) => withoutMember(await confirmation(asked, "accept"), "subscription_id"),
        ],
        ["an acceptance by number", (asked) => confirmation(asked, "accept", { decided_by: 7 })],
        ...drawFor(context).some(invalid, 2),
        ...drawFor(context).some(wrongDecisions, 3).map(withDecision),
      ]),
  }),
  toProducer({
    name: "reply-forged",
    says: "a reply with a token that was never issued is ignored",
    rules: ["AAEP-RPL-009"],
    play: (context) =>
      mustIgnore(context, "AAEP-RPL-009", [
        ["an invented token", (asked) => confirmation(asked, "accept", { reply_token: tokenOf(context) })],
        ...["another last character", "another case", "its end missing", "a space after it"].map(
          (_, index) =>
            [
              "an altered token",
              (asked: AskedSession) => {
                const [, token] = mutations(asked.token)[index] ?? ["", tokenOf(context)];
                return confirmation(asked, "accept", { reply_token: token });
              },
            ] as [string, (asked: AskedSession) => Promise<JsonObject>],
        ),
        [
          "a token with another character",
          (asked) => confirmation(asked, "accept", { reply_token: alterToken(asked.token, drawFor(context)) }),
        ],
        ["a list of tokens", (asked) => confirmation(asked, "accept", { reply_token: [asked.token] })],
        ["a number for a token", (asked) => confirmation(asked, "accept", { reply_token: 7 })],
      ]),
  }),
  toProducer({
    name: "reply-stale",
    says: "a used token has no effect, for its own question or a later one",
    rules: ["AAEP-RPL-010"],
    async play(context) {
      const line = await openLine(context);
      const first = await askedOf(line, context, "irreversible");
      const accept = await confirmation(first, "accept");
      await answer(line, accept);
      if ((await awaitEnd(first)) === undefined)
        return context.skip("AAEP-RPL-010", "an acceptance had no effect, so that its token is not used");
      await isDoneInTime(first);
      const once = await doneIn(first);
      if ([...once.values()].some((times) => times > 1))
        return context.skip("AAEP-RPL-010", "an action that was accepted once is carried out several times");
      const twice = await askedOf(line, context, "irreversible");
      for (const decision of ["accept", "accept", "reject"]) await line.send(await confirmation(twice, decision));
      await awaitEnd(twice);
      const second = await askedOf(line, context, "irreversible");
      await line.send(accept);
      await line.send(await confirmation(first, "accept"));
      await mustBeIgnored(second, accept, "AAEP-RPL-010", "a used token");
      for (const asked of [first, twice])
        for (const [tool, times] of await doneIn(asked)) {
          if (times <= 1) continue;
          const why = `${tool} was called ${times} times on one acceptance, sent repeatedly`;
          context.expect("AAEP-RPL-010", false, why, shownBy(asked));
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
      await mustIgnore(context, "AAEP-RPL-011", [
        [
          "an acceptance stamped after the deadline",
          (asked) => confirmation(asked, "accept", { timestamp: stampOf(asked, draw.one([1, draw.between(2, 600)])) }),
        ],
        [
          "an acceptance stamped after the deadline, in a time zone of the far west",
          (asked) => confirmation(asked, "accept", { timestamp: stampOf(asked, 60, draw.between(-12, -1)) }),
        ],
      ]);
      await replyAtDeadline(context);
      const seconds = 2;
      const asked = await askedOf(await openLine(context), context, "irreversible", { timeout_seconds: seconds });
      await expire(asked, 3000);
      if ((await awaitContinuation(asked)) === undefined)
        return context.skip("AAEP-RPL-011", "the question did not expire, so that no reply came after its deadline");
      await awaitEnd(asked);
      if (await isDoneInTime(asked)) return context.skip("AAEP-RPL-011", "it acted at the deadline");
      const late = [
        await confirmation(asked, "accept"),
        await confirmation(asked, "accept", { timestamp: stampOf(asked, -1) }),
      ];
      for (const each of late) await asked.line.send(each);
      await awaitFence(asked.line, context);
      const why = "an acceptance after the deadline was carried out";
      await mustNotBeDone(asked, { rule: "AAEP-RPL-011", why, replies: late });
    },
  }),
  toProducer({
    name: "reply-not-allowed",
    says: "a decision that the question does not allow is ignored",
    rules: ["AAEP-RPL-013"],
    async play(context) {
      const given = { allowed_replies: ["reject"] };
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible", given);
      const { allowed_replies: allowed } = asked.question;
      if (!Array.isArray(allowed) || allowed.includes("accept"))
        return context.skip("AAEP-RPL-013", "its questions allow both decisions");
      const reply = await confirmation(asked, "accept");
      await line.send(reply);
      await mustBeIgnored(asked, reply, "AAEP-RPL-013", "an acceptance that the question does not allow");
    },
  }),
  toProducer({
    name: "reply-of-other-kind",
    says: "a clarification reply does not settle a confirmation, nor a confirmation reply a clarification",
    rules: ["AAEP-RPL-020"],
    async play(context) {
      await mustIgnore(context, "AAEP-RPL-020", [
        ["a clarification reply that says accept", (asked) => clarification(asked, "accept")],
        ["a clarification reply that says true", (asked) => clarification(asked, true)],
        [
          "another clarification reply",
          (asked) => clarification(asked, drawFor(context).one(["yes", "Accept", 1, "ok"])),
        ],
      ]);
    },
  }),
];

/** A reply must precede the deadline. A producer may omit digits of its clock, which may move its deadline a little, so the result is at most a warning. */
async function replyAtDeadline(context: ScenarioContext): Promise<void> {
  const line = await openLine(context);
  const asked = await askedOf(line, context, "irreversible");
  const reply = await confirmation(asked, "accept", { timestamp: stampOf(asked, 0) });
  await line.send(reply);
  await awaitFence(line, context);
  const why = "an acceptance stamped exactly at the deadline was carried out";
  await mustNotBeDone(asked, { rule: "AAEP-RPL-011", why, replies: [reply], level: "SHOULD" });
  await rejectOpen(asked);
}

/** Further acceptances that their schema refuses. */
const invalid: readonly [what: string, reply: (asked: AskedSession) => Promise<JsonObject>][] = [
  ["an acceptance that names its session", (asked) => confirmation(asked, "accept", { session_id: asked.id })],
  ["an acceptance with another subscription_id", (asked) => confirmation(asked, "accept", { subscription_id: "7" })],
  ["an acceptance by no subscription", (asked) => confirmation(asked, "accept", { decided_by: "" })],
  ["an acceptance with an empty rationale", (asked) => confirmation(asked, "accept", { decision_rationale: "" })],
  ["an acceptance with a number for a correlation", (asked) => confirmation(asked, "accept", { correlation_id: 7 })],
  ["an acceptance of yesterday", (asked) => confirmation(asked, "accept", { timestamp: "yesterday" })],
  ["an acceptance with a number for a time", (asked) => confirmation(asked, "accept", { timestamp: Date.now() })],
];

/** Decisions that a lenient reader may read as `accept`. */
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
  return [`the decision ${JSON.stringify(decision)}`, (asked) => confirmation(asked, "accept", { decision })];
}

function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}
