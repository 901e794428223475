import { isObject } from "../../../../../../schemas/index.ts";
import { right } from "../right.ts";
import { minds, type ProducerVariant } from "./variant.ts";

/** Replies that are taken though they must not count, or not taken though they do. */
export const replyVariants: readonly ProducerVariant[] = [
  {
    rule: "AAEP-RPL-008",
    says: "takes replies that are invalid under their schema",
    policy: minds("schema", "confirmation"),
  },
  {
    rule: "AAEP-RPL-008",
    name: "anonymous",
    says: "takes an acceptance that does not say on which subscription it is given",
    policy: { respects: (_, reply) => "subscription_id" in reply || reply.decision !== "accept" },
  },
  {
    rule: "AAEP-RPL-009",
    says: "takes a reply with a token that it never issued for an answer to what is open",
    policy: minds("unknown", "confirmation"),
  },
  {
    rule: "AAEP-RPL-009",
    name: "breaks",
    says: "breaks down over a token that is no text",
    policy: {
      respects(_, { reply_token: token }) {
        if (typeof token !== "string") throw new TypeError("a token is a text");
        return true;
      },
    },
  },
  {
    rule: "AAEP-RPL-010",
    name: "repeats",
    says: "does again what was accepted when it is accepted again",
    policy: { overrules: (decision) => decision === "accept" },
  },
  {
    rule: "AAEP-RPL-010",
    name: "mistakes",
    says: "takes a used token for an answer to what is open now",
    policy: minds("used", "confirmation"),
  },
  {
    rule: "AAEP-RPL-011",
    says: "does not look at when a reply says that it was decided",
    policy: minds("stamp", "confirmation"),
  },
  {
    rule: "AAEP-RPL-011",
    name: "by-text",
    says: "compares stamps as texts",
    policy: {
      respects: (each, { timestamp, reply_token: token }, { questions }) => {
        const { deadline = 0 } = questions.get(String(token)) ?? {};
        return each !== "stamp" || String(timestamp) >= new Date(deadline).toISOString();
      },
    },
  },
  {
    rule: "AAEP-RPL-011",
    name: "on-the-dot",
    says: "takes a reply that is stamped at the very deadline",
    policy: {
      respects: (each, { timestamp, reply_token: token }, { questions }) =>
        each !== "stamp" || Date.parse(String(timestamp)) > (questions.get(String(token))?.deadline ?? 0),
    },
  },
  {
    rule: "AAEP-RPL-012",
    says: "takes replies from anybody",
    policy: minds("authentication"),
  },
  {
    rule: "AAEP-RPL-013",
    says: "takes decisions that the question does not allow",
    policy: minds("allowed"),
  },
  {
    rule: "AAEP-RPL-014",
    says: "tells what is wrong with a reply",
    policy: {
      answerTo: (objection) =>
        objection === "authentication" ? right.answerTo(objection) : { status: 400, body: { error: objection } },
    },
  },
  {
    rule: "AAEP-RPL-014",
    name: "by-status",
    says: "answers each reason with a status of its own",
    policy: {
      answerTo: (objection) =>
        objection === "unknown" ? { status: 404 } : objection === "stamp" ? { status: 410 } : right.answerTo(objection),
    },
  },
  {
    rule: "AAEP-RPL-015",
    says: "lets an acceptance overrule a rejection",
    policy: { overrules: (decision) => decision === "reject" },
  },
  {
    rule: "AAEP-RPL-016",
    says: "uses a token up by a reply that it ignores",
    policy: {
      ignored(question) {
        question.isOpen = false;
      },
    },
  },
  {
    rule: "AAEP-RPL-016",
    name: "settles",
    says: "takes a reply that it ignores for a rejection",
    policy: {
      ignored(question, reply) {
        if (question.event.type === "aaep:agent.awaiting.confirmation")
          question.settle({ ...reply, decision: "reject" });
      },
    },
  },
  {
    rule: "AAEP-RPL-016",
    name: "declines",
    says: "takes a rejection that its question does not allow for one all the same, and no other reply",
    policy: {
      ignored(question, reply) {
        if (reply.decision === "reject") question.settle(reply);
      },
    },
  },
  {
    rule: "AAEP-RPL-017",
    says: "carries out what was accepted in a modified form",
    policy: { consents: ({ event }, answer) => (answer?.decision ?? event.default_decision) === "accept" },
  },
  {
    rule: "AAEP-RPL-018",
    says: "takes an answer in one session for an answer in all",
    policy: { spreads: () => true },
  },
  {
    rule: "AAEP-RPL-018",
    name: "latest",
    says: "takes any answer for one to the latest question",
    policy: { isLatest: true },
  },
  {
    rule: "AAEP-RPL-019",
    says: "takes replies under any id of a subscription",
    policy: minds("entitlement"),
  },
  {
    rule: "AAEP-RPL-020",
    says: "looks for a yes in replies of either kind",
    policy: {
      ...minds("kind", "clarification"),
      consents: (question, answer) =>
        right.consents(question, answer) || answer?.response === "accept" || answer?.response === true,
    },
  },
  {
    rule: "AAEP-RPL-023",
    says: "asks everybody, and lets nobody answer who was asked together with one who cannot",
    policy: { isAsked: () => true, isDeaf: true },
  },
  {
    rule: "AAEP-TRN-007",
    says: "has no place to which replies could be posted",
    policy: { replies: false },
  },
  {
    rule: "AAEP-CLAR-005",
    says: "does not wait for the answer of a clarification",
    policy: { waits: false },
  },
  {
    rule: "AAEP-CLAR-007",
    says: "takes responses of any type",
    policy: minds("response"),
  },
  {
    rule: "AAEP-CLAR-007",
    name: "labels",
    says: "takes what a choice is called for the choice",
    policy: {
      respects: (each, { response, reply_token: token }, { questions }) => {
        const { choices } = questions.get(String(token))?.event ?? {};
        const isLabel =
          Array.isArray(choices) && choices.some((choice) => isObject(choice) && choice.label === response);
        return each !== "response" || !isLabel;
      },
    },
  },
  {
    rule: "AAEP-CLAR-008",
    name: "forged",
    says: "takes a clarification with a token that it never issued",
    policy: minds("unknown", "clarification"),
  },
  {
    rule: "AAEP-CLAR-008",
    name: "replayed",
    says: "takes a used clarification for an answer to what is open now",
    policy: minds("used", "clarification"),
  },
  {
    rule: "AAEP-CLAR-008",
    name: "late",
    says: "does not look at when a clarification says that it was decided",
    policy: minds("stamp", "clarification"),
  },
  {
    rule: "AAEP-CLAR-008",
    name: "mismatched",
    says: "takes a confirmation for an answer to a clarification",
    policy: { respects: (each, { type }) => type !== "confirmation.reply" || !["kind", "response"].includes(each) },
  },
];
