import type { Json } from "../../../../../../schemas/index.ts";
import { rightPolicy } from "../right.ts";
import { events, isOf, isQuestion, lacks, like, openQuestions, sends, withoutMember } from "./changes.ts";
import { breaks, type ProducerVariant } from "./variant.ts";

const asksFilter = "aaep:agent.awaiting.*";

function isAny(type: unknown): boolean {
  return isQuestion(type, "confirmation") || isQuestion(type, "clarification");
}

/** Mistakes with confirmations, and with their default if no answer comes. */
export const consent: readonly ProducerVariant[] = [
  ...breaks("AAEP-CONF-006", {
    "": ["does not say that a confirmation is urgent", lacks("awaiting.confirmation", "urgency")],
  }),
  ...breaks("AAEP-CONF-008", {
    "": [
      "goes ahead in the end with an action that only its own events call irreversible",
      {
        event: (event) =>
          event.type === "aaep:agent.awaiting.confirmation" && event.reversibility === "irreversible"
            ? { ...withoutMember(event, "irreversible"), default_decision: "accept" }
            : event,
      },
    ],
  }),
  ...breaks("AAEP-CONF-014", {
    "": [
      "allows neither of the two decisions",
      events("awaiting.confirmation", () => ({ allowed_replies: ["modify"] })),
    ],
  }),
  ...breaks("AAEP-CONF-020", {
    "": ["does the work while it asks", { early: (when) => when === "asking" }],
    later: ["carries out a rejected action seven seconds later", { defiesAfter: 7000 }],
  }),
  ...breaks("AAEP-CONF-022", {
    "": [
      "treats a rejection as consent",
      { consents: (question, answer) => answer?.decision === "reject" || rightPolicy.consents(question, answer) },
    ],
    quietly: ["carries out a rejected action, and does not announce it", { defies: true }],
    crowd: [
      "treats a rejection as consent if another session asks as well",
      {
        consents: (question, answer) =>
          rightPolicy.consents(question, answer) || (answer?.decision === "reject" && question.isCrowded === true),
        spreads(question, other) {
          if (other !== question) question.isCrowded = true;
          return false;
        },
      },
      "course",
    ],
  }),
  ...breaks("AAEP-CONF-023", {
    "": ["falls silent after a rejection", { goesOn: (_, answer) => answer?.decision !== "reject" }],
  }),
  ...breaks("AAEP-CONF-026", {
    accepted: ["falls silent after an acceptance", { goesOn: (_, answer) => answer?.decision !== "accept" }],
    clarified: [
      "falls silent once its question is answered",
      { goesOn: ({ event }, answer) => answer === undefined || !isQuestion(event.type, "clarification") },
    ],
  }),
  ...breaks("AAEP-CONF-027", {
    quietly: ["carries out an accepted action twice, and announces it once", { repeats: 2 }],
    "": [
      "calls an accepted action twice",
      sends(
        (event) => isOf(event, "tool.completed") && event.tool === "pay",
        ({ status, ...event }) => {
          const id = { tool_call_id: `${event.tool_call_id}z` };
          const call = { type: "aaep:agent.tool.invoked", risk_level: "high", irreversible: true };
          return [
            { ...event, status: status as Json },
            like(event, { ...call, ...id }),
            like(event, { event_id: `${event.event_id}y`, status: status as Json, ...id }),
          ];
        },
      ),
    ],
  }),
  ...breaks("AAEP-CONF-030", {
    "": [
      "does not report the result to subscribers that filter out questions",
      { tells: ({ terms }) => !terms.exclude.includes(asksFilter) },
    ],
  }),
  ...breaks("AAEP-CONF-031", {
    "": ["keeps the questions of a cancelled session", { voids: (why) => why !== "cancel" }],
    default: [
      "applies the default of a question after its session is cancelled",
      {
        voids(why, { clock, effects, questions }) {
          const at = new Date(clock.now()).toISOString();
          for (const { isOpen, event, session } of questions.values())
            if (why === "cancel" && isOpen && event.default_decision === "accept")
              effects.push({ session_id: session.id, tool: "move", at });
          return true;
        },
      },
    ],
    crowd: [
      "keeps the question of a cancelled session if another session asks as well",
      { voids: (why, producer) => why !== "cancel" || openQuestions(producer).length < 2 },
      "course",
    ],
  }),
  ...breaks("AAEP-CONF-032", {
    silent: ["drops an action in silence", { announcesDrop: false }],
    alive: ["keeps the question of an action that it dropped", { voids: (why) => why !== "drop" }],
  }),
  ...breaks("AAEP-CONF-034", {
    "": [
      "does not ask those who filter questions",
      { passes: (_, event, isWanted) => isWanted || (rightPolicy.passes(_, event, isWanted) && !isAny(event.type)) },
    ],
  }),
  ...breaks("AAEP-TMO-001", {
    "": [
      "waits for ever for consent",
      { patience: ({ event }, time) => (isQuestion(event.type, "confirmation") ? undefined : time) },
    ],
    seconds: ["applies each default six seconds late", { patience: (_, time) => time + 6000 }],
    late: [
      "waits twice as long as it says",
      { patience: ({ event }, time) => (isQuestion(event.type, "confirmation") ? time * 2 : time) },
    ],
  }),
  ...breaks("AAEP-TMO-002", {
    "": ["waits half as long as it says", { patience: (_, time) => time / 2 }],
    renegotiated: ["gives questions up when terms are changed", { defaultsOnChange: true }],
    cap: ["waits for 20 s at most", { patience: (_, time) => Math.min(time, 20_000) }, "clock"],
  }),
  ...breaks("AAEP-TMO-003", {
    "": [
      "treats silence as consent",
      { consents: (question, answer) => answer === undefined || rightPolicy.consents(question, answer) },
    ],
  }),
  ...breaks("AAEP-TMO-004", {
    "": [
      "treats silence as a no, regardless of the default",
      { consents: (question, answer) => answer !== undefined && rightPolicy.consents(question, answer) },
    ],
  }),
  ...breaks("AAEP-TMO-005", {
    "": [
      "keeps waiting for a subscriber that has closed its subscription",
      { defaultsOn: (leaving) => leaving !== "close" },
    ],
  }),
  ...breaks("AAEP-TMO-006", {
    "": ["waits for subscribers that cannot answer", { defaultsOn: (leaving) => leaving !== "mute" }],
  }),
];
