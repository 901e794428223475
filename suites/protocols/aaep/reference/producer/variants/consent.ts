import type { Json } from "../../../../../../schemas/index.ts";
import { conformingPolicy } from "../conforming-policy.ts";
import {
  changeEvents,
  copyOf,
  isEventOf,
  isQuestion,
  openQuestions,
  removeMember,
  replaceEvents,
  withoutMember,
} from "./changes.ts";
import { type ProducerVariant, variantsBreaking } from "./variant.ts";

const questionFilter = "aaep:agent.awaiting.*";

function isAnyQuestion(type: unknown): boolean {
  return isQuestion(type, "confirmation") || isQuestion(type, "clarification");
}

/** Mistakes with confirmations, and with their default if no answer arrives. */
export const consentVariants: readonly ProducerVariant[] = [
  ...variantsBreaking("AAEP-CONF-006", {
    "": ["does not say that a confirmation is urgent", removeMember("awaiting.confirmation", "urgency")],
  }),
  ...variantsBreaking("AAEP-CONF-008", {
    "": [
      "by default carries out an action that its own question calls irreversible",
      {
        changeEvent: (event) =>
          event.type === "aaep:agent.awaiting.confirmation" && event.reversibility === "irreversible"
            ? { ...withoutMember(event, "irreversible"), default_decision: "accept" }
            : event,
      },
    ],
  }),
  ...variantsBreaking("AAEP-CONF-014", {
    "": [
      "allows neither of the two decisions",
      changeEvents("awaiting.confirmation", () => ({ allowed_replies: ["modify"] })),
    ],
  }),
  ...variantsBreaking("AAEP-CONF-020", {
    "": ["does the work while it asks", { actsEarly: (moment) => moment === "asking" }],
    later: ["carries out a rejected action seven seconds later", { rejectedActionDelay: 7000 }],
  }),
  ...variantsBreaking("AAEP-CONF-022", {
    "": [
      "treats a rejection as consent",
      {
        hasConsent: (question, answer) =>
          answer?.decision === "reject" || conformingPolicy.hasConsent(question, answer),
      },
    ],
    quietly: ["carries out a rejected action, and does not announce it", { actsDespiteRejection: true }],
    crowd: [
      "treats a rejection as consent if another session asks as well",
      {
        hasConsent: (question, answer) =>
          conformingPolicy.hasConsent(question, answer) ||
          (answer?.decision === "reject" && question.hadCompetitor === true),
        alsoSettles(question, otherQuestion) {
          if (otherQuestion !== question) question.hadCompetitor = true;
          return false;
        },
      },
      "course",
    ],
  }),
  ...variantsBreaking("AAEP-CONF-023", {
    "": ["falls silent after a rejection", { continuesAfter: (_, answer) => answer?.decision !== "reject" }],
  }),
  ...variantsBreaking("AAEP-CONF-026", {
    accepted: ["falls silent after an acceptance", { continuesAfter: (_, answer) => answer?.decision !== "accept" }],
    clarified: [
      "falls silent once its question is answered",
      { continuesAfter: ({ event }, answer) => answer === undefined || !isQuestion(event.type, "clarification") },
    ],
  }),
  ...variantsBreaking("AAEP-CONF-027", {
    quietly: ["carries out an accepted action twice, and announces it once", { effectsPerAcceptance: 2 }],
    "": [
      "calls an accepted action twice",
      replaceEvents(
        (event) => isEventOf(event, "tool.completed") && event.tool === "pay",
        ({ status, ...event }) => {
          const id = { tool_call_id: `${event.tool_call_id}z` };
          const call = { type: "aaep:agent.tool.invoked", risk_level: "high", irreversible: true };
          return [
            { ...event, status: status as Json },
            copyOf(event, { ...call, ...id }),
            copyOf(event, { event_id: `${event.event_id}y`, status: status as Json, ...id }),
          ];
        },
      ),
    ],
  }),
  ...variantsBreaking("AAEP-CONF-030", {
    "": [
      "does not report the result to subscribers that filter out questions",
      { sendsAfterQuestion: ({ terms }) => !terms.exclude.includes(questionFilter) },
    ],
  }),
  ...variantsBreaking("AAEP-CONF-031", {
    "": ["keeps the questions of a cancelled session", { withdrawsQuestions: (reason) => reason !== "cancel" }],
    default: [
      "applies the default of a question after its session is cancelled",
      {
        withdrawsQuestions(reason, { clock, effects, questions }) {
          const at = new Date(clock.now()).toISOString();
          for (const { isOpen, event, session } of questions.values())
            if (reason === "cancel" && isOpen && event.default_decision === "accept")
              effects.push({ session_id: session.id, tool: "move", at });
          return true;
        },
      },
    ],
    crowd: [
      "keeps the question of a cancelled session if another session asks as well",
      { withdrawsQuestions: (reason, producer) => reason !== "cancel" || openQuestions(producer).length < 2 },
      "course",
    ],
  }),
  ...variantsBreaking("AAEP-CONF-032", {
    silent: ["drops an action in silence", { announcesDrop: false }],
    alive: [
      "keeps the question of an action that it has dropped",
      { withdrawsQuestions: (reason) => reason !== "drop" },
    ],
  }),
  ...variantsBreaking("AAEP-CONF-034", {
    "": [
      "does not send questions to subscribers that filter them out",
      {
        delivers: (_, event, isWanted) =>
          isWanted || (conformingPolicy.delivers(_, event, isWanted) && !isAnyQuestion(event.type)),
      },
    ],
  }),
  ...variantsBreaking("AAEP-TMO-001", {
    "": [
      "waits forever for consent",
      { timeoutOf: ({ event }, milliseconds) => (isQuestion(event.type, "confirmation") ? undefined : milliseconds) },
    ],
    seconds: ["applies each default six seconds late", { timeoutOf: (_, milliseconds) => milliseconds + 6000 }],
    late: [
      "waits twice as long as it says",
      {
        timeoutOf: ({ event }, milliseconds) =>
          isQuestion(event.type, "confirmation") ? milliseconds * 2 : milliseconds,
      },
    ],
  }),
  ...variantsBreaking("AAEP-TMO-002", {
    "": ["waits half as long as it says", { timeoutOf: (_, milliseconds) => milliseconds / 2 }],
    renegotiated: ["gives up its questions when terms are changed", { appliesDefaultsOnChange: true }],
    cap: ["waits for 20 s at most", { timeoutOf: (_, milliseconds) => Math.min(milliseconds, 20_000) }, "clock"],
  }),
  ...variantsBreaking("AAEP-TMO-003", {
    "": [
      "treats silence as consent",
      { hasConsent: (question, answer) => answer === undefined || conformingPolicy.hasConsent(question, answer) },
    ],
  }),
  ...variantsBreaking("AAEP-TMO-004", {
    "": [
      "treats silence as a rejection, regardless of the default",
      { hasConsent: (question, answer) => answer !== undefined && conformingPolicy.hasConsent(question, answer) },
    ],
  }),
  ...variantsBreaking("AAEP-TMO-005", {
    "": [
      "keeps waiting for a subscriber that has closed its subscription",
      { appliesDefaultOn: (leaving) => leaving !== "close" },
    ],
  }),
  ...variantsBreaking("AAEP-TMO-006", {
    "": ["waits for subscribers that cannot answer", { appliesDefaultOn: (leaving) => leaving !== "mute" }],
  }),
];
