import { right } from "../right.ts";
import type { ProducerVariant } from "./variant.ts";

const isQuestion = (type: unknown, kind: string): boolean => type === `aaep:agent.awaiting.${kind}`;
const asksFilter = "aaep:agent.awaiting.*";

/** Work at the wrong time, and questions that end otherwise than they should. */
export const consentVariants: readonly ProducerVariant[] = [
  {
    rule: "AAEP-TOOL-016",
    says: "never asks, and does not say that it cannot be undone",
    policy: { asks: () => false },
  },
  {
    rule: "AAEP-CONF-020",
    says: "does the work while it asks",
    policy: { early: (when) => when === "asking" },
  },
  {
    rule: "AAEP-TOOL-004",
    says: "announces what cannot be undone before it asks, as shipped producers do",
    policy: { early: (when) => when === "announcing" },
  },
  {
    rule: "AAEP-CONF-022",
    says: "takes a rejection for consent",
    policy: { consents: (question, answer) => answer?.decision === "reject" || right.consents(question, answer) },
  },
  {
    rule: "AAEP-CONF-022",
    name: "quietly",
    says: "does what was rejected, and does not announce it",
    policy: { defies: true },
  },
  {
    rule: "AAEP-CONF-027",
    name: "quietly",
    says: "does twice what was accepted once, and announces it once",
    policy: { repeats: 2 },
  },
  {
    rule: "AAEP-TOOL-003",
    says: "announces a call once it is done",
    policy: { early: (when) => when === "invoking" },
  },
  {
    rule: "AAEP-TOOL-012",
    says: "goes on without a word about the call that it gave up",
    policy: { closesTool: false },
  },
  {
    rule: "AAEP-CONF-023",
    says: "falls silent after a rejection",
    policy: { goesOn: (_, answer) => answer?.decision !== "reject" },
  },
  {
    rule: "AAEP-CONF-026",
    name: "accepted",
    says: "falls silent after an acceptance",
    policy: { goesOn: (_, answer) => answer?.decision !== "accept" },
  },
  {
    rule: "AAEP-CONF-026",
    name: "clarified",
    says: "falls silent once its question is answered",
    policy: { goesOn: ({ event }, answer) => answer === undefined || !isQuestion(event.type, "clarification") },
  },
  {
    rule: "AAEP-CONF-034",
    says: "does not ask those who filter questions",
    policy: { passes: (_, event, isWanted) => isWanted || (right.passes(_, event, isWanted) && !isAny(event.type)) },
  },
  {
    rule: "AAEP-CONF-030",
    says: "tells nothing of the result to those who filter questions",
    policy: { tells: ({ terms }) => !terms.exclude.includes(asksFilter) },
  },
  {
    rule: "AAEP-CONF-031",
    says: "keeps the questions of a cancelled session",
    policy: { voids: (why) => why !== "cancel" },
  },
  {
    rule: "AAEP-CONF-031",
    name: "default",
    says: "applies the default of a question whose session is cancelled",
    policy: {
      voids(why, { clock, effects, questions }) {
        const at = new Date(clock.now()).toISOString();
        for (const { isOpen, event, session } of questions.values())
          if (why === "cancel" && isOpen && event.default_decision === "accept")
            effects.push({ session_id: session.id, tool: "move", at });
        return true;
      },
    },
  },
  { rule: "AAEP-CONF-032", name: "silent", says: "drops an action in silence", policy: { announcesDrop: false } },
  {
    rule: "AAEP-CONF-032",
    name: "alive",
    says: "keeps the question of an action that it dropped",
    policy: { voids: (why) => why !== "drop" },
  },
  {
    rule: "AAEP-TMO-001",
    says: "waits for ever for consent",
    policy: { patience: ({ event }, time) => (isQuestion(event.type, "confirmation") ? undefined : time) },
  },
  {
    rule: "AAEP-TMO-001",
    name: "late",
    says: "waits twice as long as it says",
    policy: { patience: ({ event }, time) => (isQuestion(event.type, "confirmation") ? time * 2 : time) },
  },
  { rule: "AAEP-TMO-002", says: "waits half as long as it says", policy: { patience: (_, time) => time / 2 } },
  {
    rule: "AAEP-TMO-003",
    says: "takes silence for consent",
    policy: { consents: (question, answer) => answer === undefined || right.consents(question, answer) },
  },
  {
    rule: "AAEP-TMO-004",
    says: "takes silence for a no, whatever the default",
    policy: { consents: (question, answer) => answer !== undefined && right.consents(question, answer) },
  },
  {
    rule: "AAEP-TMO-005",
    says: "waits on for one who has closed its subscription",
    policy: { defaultsOn: (leaving) => leaving !== "close" },
  },
  {
    rule: "AAEP-TMO-006",
    says: "waits for those who cannot answer",
    policy: { defaultsOn: (leaving) => leaving !== "mute" },
  },
  {
    rule: "AAEP-HS-023",
    says: "waits on for one whose connection is gone",
    policy: { defaultsOn: (leaving) => leaving !== "loss" },
  },
  {
    rule: "AAEP-TRN-006",
    says: "keeps subscriptions that were closed",
    policy: { frees: (leaving) => leaving !== "close" },
  },
  {
    rule: "AAEP-CLAR-009",
    says: "stands still when nobody clarifies",
    policy: { goesOn: ({ event }, answer) => answer !== undefined || !isQuestion(event.type, "clarification") },
  },
];

function isAny(type: unknown): boolean {
  return isQuestion(type, "confirmation") || isQuestion(type, "clarification");
}
