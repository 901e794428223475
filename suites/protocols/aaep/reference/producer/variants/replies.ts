import { isObject } from "../../../../../../schemas/index.ts";
import { conformingPolicy } from "../conforming-policy.ts";
import type { Producer, ProducerPolicy } from "../model.ts";
import { isQuestion, openQuestions, removeMember } from "./changes.ts";
import { ignoreObjection, type ProducerVariant, variantsBreaking } from "./variant.ts";

const respectExcept =
  (isIgnored: (objection: string, token: unknown, producer: Producer) => boolean): ProducerPolicy["respects"] =>
  (objection, { reply_token: token }, producer) =>
    !isIgnored(objection, token, producer);

/** Statuses that reveal why a reply was ignored. */
const revealingStatuses: Readonly<Record<string, number>> = { unknown: 404, stamp: 410 };

/** Mistakes with replies: invalid ones that are accepted, and valid ones that are ignored. */
export const replyVariants: readonly ProducerVariant[] = [
  ...variantsBreaking("AAEP-RPL-008", {
    "": ["accepts replies that are invalid under their schema", ignoreObjection("schema", "confirmation")],
    anonymous: [
      "accepts an acceptance that does not name its subscription",
      { respects: (_, reply) => "subscription_id" in reply || reply.decision !== "accept" },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-009", {
    crowd: [
      "treats a token that it never issued as that of its latest question if several are open",
      {
        respects: respectExcept(
          (objection, _, producer) => objection === "unknown" && openQuestions(producer).length > 1,
        ),
      },
      "course",
    ],
    "": [
      "treats a reply with a token that it never issued as an answer to the open question",
      ignoreObjection("unknown", "confirmation"),
    ],
    breaks: [
      "crashes on a token that is not a string",
      {
        respects(_, { reply_token: token }) {
          if (typeof token !== "string") throw new TypeError("a token must be a string");
          return true;
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-010", {
    forgetful: [
      "remembers the last two used tokens, and treats others as new",
      {
        respects: respectExcept((objection, token, { questions }) => {
          const usedTokens = [...questions].filter(([, { isOpen }]) => !isOpen).map(([usedToken]) => usedToken);
          return objection === "used" && !usedTokens.slice(-2).includes(String(token));
        }),
      },
      "course",
    ],
    repeats: [
      "carries out an accepted action again when it is accepted again",
      { overrules: (decision) => decision === "accept" },
    ],
    mistakes: ["treats a used token as an answer to the open question", ignoreObjection("used", "confirmation")],
  }),
  ...variantsBreaking("AAEP-RPL-011", {
    "": ["ignores the timestamp of a reply", ignoreObjection("stamp", "confirmation")],
    "by-text": [
      "compares timestamps as strings",
      {
        respects: (objection, { timestamp, reply_token: token }, { questions }) => {
          const { deadline = 0 } = questions.get(String(token)) ?? {};
          return objection !== "stamp" || String(timestamp) >= new Date(deadline).toISOString();
        },
      },
    ],
    "on-the-dot": [
      "accepts a reply that is stamped exactly at the deadline",
      {
        respects: (objection, { timestamp, reply_token: token }, { questions }) =>
          objection !== "stamp" || Date.parse(String(timestamp)) > (questions.get(String(token))?.deadline ?? 0),
      },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-012", {
    "": ["accepts replies from any sender", ignoreObjection("authentication")],
  }),
  ...variantsBreaking("AAEP-RPL-013", {
    "": ["accepts decisions that the question does not allow", ignoreObjection("allowed")],
  }),
  ...variantsBreaking("AAEP-RPL-014", {
    "": [
      "explains why it ignores a reply",
      {
        answerTo: (objection) =>
          objection === "authentication"
            ? conformingPolicy.answerTo(objection)
            : { status: 400, body: { error: objection } },
      },
    ],
    "by-status": [
      "answers each reason with a different status",
      {
        answerTo(objection) {
          const status = revealingStatuses[objection];
          return status === undefined ? conformingPolicy.answerTo(objection) : { status };
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-015", {
    "": ["lets an acceptance overrule a rejection", { overrules: (decision) => decision === "reject" }],
    undone: [
      "lets a rejection stop an action that was accepted before",
      {
        actionDuration: 300,
        onIgnoredReply({ answer, session }, { decision }) {
          if (answer?.decision === "accept" && decision === "reject") session.hasEnded = true;
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-016", {
    mismatched: [
      "treats a token as used after a reply of the wrong kind",
      {
        onIgnoredReply(question, { type }) {
          if (type === "clarification.reply" && question.event.type === "aaep:agent.awaiting.confirmation")
            question.isOpen = false;
        },
      },
      "course",
    ],
    "": [
      "treats a token as used after a reply that it ignores",
      {
        onIgnoredReply(question) {
          question.isOpen = false;
        },
      },
    ],
    settles: [
      "treats a reply that it ignores as a rejection",
      {
        onIgnoredReply(question, reply) {
          if (question.event.type === "aaep:agent.awaiting.confirmation")
            question.settle({ ...reply, decision: "reject" });
        },
      },
    ],
    declines: [
      "accepts a rejection although its question does not allow one",
      {
        onIgnoredReply(question, reply) {
          if (reply.decision === "reject") question.settle(reply);
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-017", {
    "": [
      "carries out a modified action",
      { hasConsent: ({ event }, answer) => (answer?.decision ?? event.default_decision) === "accept" },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-018", {
    crowd: [
      "treats an answer as an answer to all questions if more than two are open",
      { alsoSettles: (_question, _other, producer) => openQuestions(producer).length > 2 },
      "course",
    ],
    "": ["treats an answer in one session as an answer in all sessions", { alsoSettles: () => true }],
    latest: ["treats any answer as an answer to the latest question", { settlesLatestQuestion: true }],
  }),
  ...variantsBreaking("AAEP-RPL-019", {
    "": ["accepts replies under any id of a subscription", ignoreObjection("entitlement")],
  }),
  ...variantsBreaking("AAEP-RPL-020", {
    "": [
      'looks for a "yes" in replies of either kind',
      {
        ...ignoreObjection("kind", "clarification"),
        hasConsent: (question, answer) =>
          conformingPolicy.hasConsent(question, answer) || answer?.response === "accept" || answer?.response === true,
      },
    ],
  }),
  ...variantsBreaking("AAEP-RPL-023", {
    "": [
      "asks all subscribers, and ignores every answer if one of them cannot reply",
      { getsQuestions: () => true, needsRepliesFromAll: true },
    ],
  }),
  ...variantsBreaking("AAEP-CLAR-002", {
    "": ["does not say that a clarification is urgent", removeMember("awaiting.clarification", "urgency")],
  }),
  ...variantsBreaking("AAEP-CLAR-003", {
    "": ["asks for a choice without naming the choices", removeMember("awaiting.clarification", "choices")],
  }),
  ...variantsBreaking("AAEP-CLAR-005", {
    "": ["does not wait for a clarification", { waitsForClarification: false }],
  }),
  ...variantsBreaking("AAEP-CLAR-007", {
    "": ["accepts responses of any type", ignoreObjection("response")],
    labels: [
      "accepts the label of a choice as the choice",
      {
        respects: (objection, { response, reply_token: token }, { questions }) => {
          const { choices } = questions.get(String(token))?.event ?? {};
          const isLabel =
            Array.isArray(choices) && choices.some((choice) => isObject(choice) && choice.label === response);
          return objection !== "response" || !isLabel;
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-CLAR-008", {
    forged: ["accepts a clarification with a token that it never issued", ignoreObjection("unknown", "clarification")],
    replayed: [
      "treats a used clarification as an answer to the open question",
      ignoreObjection("used", "clarification"),
    ],
    late: ["ignores the timestamp of a clarification", ignoreObjection("stamp", "clarification")],
    mismatched: [
      "treats a confirmation as an answer to a clarification",
      { respects: (objection, { type }) => type !== "confirmation.reply" || !["kind", "response"].includes(objection) },
    ],
  }),
  ...variantsBreaking("AAEP-CLAR-009", {
    "": [
      "waits forever if no clarification arrives",
      { continuesAfter: ({ event }, answer) => answer !== undefined || !isQuestion(event.type, "clarification") },
    ],
  }),
];
