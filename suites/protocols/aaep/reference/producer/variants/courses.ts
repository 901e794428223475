import type { Policy, Producer, Question } from "../model.ts";
import { right } from "../right.ts";
import type { ProducerVariant } from "./variant.ts";

const open = ({ questions }: Producer): Question[] => [...questions.values()].filter(({ isOpen }) => isOpen);
const respectsAllBut =
  (isLost: (objection: string, token: unknown, producer: Producer) => boolean): Policy["respects"] =>
  (objection, { reply_token: token }, producer) =>
    !isLost(objection, token, producer);

/** Producers that err only where several things come together, so that no single story shows it. */
export const courseVariants: readonly ProducerVariant[] = [
  {
    rule: "AAEP-RPL-016",
    name: "mismatched",
    says: "uses a token up by a reply of the wrong kind",
    policy: {
      ignored(question, { type }) {
        if (type === "clarification.reply" && question.event.type === "aaep:agent.awaiting.confirmation")
          question.isOpen = false;
      },
    },
    isCourse: true,
  },
  {
    rule: "AAEP-RPL-009",
    name: "crowd",
    says: "takes a token that it never issued for the last of several questions",
    policy: {
      respects: respectsAllBut((objection, _, producer) => objection === "unknown" && open(producer).length > 1),
    },
    isCourse: true,
  },
  {
    rule: "AAEP-RPL-010",
    name: "forgetful",
    says: "remembers the last two tokens that were used, and takes others for new",
    policy: {
      respects: respectsAllBut((objection, token, { questions }) => {
        const used = [...questions].filter(([, { isOpen }]) => !isOpen).map(([each]) => each);
        return objection === "used" && !used.slice(-2).includes(String(token));
      }),
    },
    isCourse: true,
  },
  {
    rule: "AAEP-RPL-018",
    name: "crowd",
    says: "takes an answer for an answer to all where more than two questions are open",
    policy: { spreads: (_question, _other, producer) => open(producer).length > 2 },
    isCourse: true,
  },
  {
    rule: "AAEP-CONF-031",
    name: "crowd",
    says: "keeps the question of a cancelled session where another session asks as well",
    policy: { voids: (why, producer) => why !== "cancel" || open(producer).length < 2 },
    isCourse: true,
  },
  {
    rule: "AAEP-CONF-022",
    name: "crowd",
    says: "takes a rejection for consent where another session asks as well",
    policy: {
      consents: (question, answer) =>
        right.consents(question, answer) || (answer?.decision === "reject" && question.isCrowded === true),
      spreads(question, other) {
        if (other !== question) question.isCrowded = true;
        return false;
      },
    },
    isCourse: true,
  },
  {
    rule: "AAEP-ENV-026",
    name: "together",
    says: "numbers the events of sessions that run at once together",
    policy: {
      event: (event, { sessions }) => {
        const running = [...sessions.values()].filter(({ ended, id }) => !ended || id === event.session_id);
        return { ...event, sequence_number: running.reduce((sum, { events }) => sum + events.length, 0) };
      },
    },
    isCourse: true,
  },
  {
    rule: "AAEP-TRN-011",
    name: "narrow",
    says: "repeats after a reconnect only what was missed of one session",
    policy: { resumes: "its session" },
    isCourse: true,
  },
];
