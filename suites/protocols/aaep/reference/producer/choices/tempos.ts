import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { PartyChoice } from "../../party-choice.ts";
import type { ProducerPolicy } from "../model.ts";

const actionDelays = { "0.1": "a tenth of a second", "1": "a second", "3": "three seconds" };

/** The highest rate that the producer grants, in events per second. */
const maxRate = 100;

function limitGrantedRate(answer: JsonObject | undefined): JsonObject | undefined {
  if (!isObject(answer?.honored_capabilities)) return answer;
  const { max_events_per_second: rate } = answer.honored_capabilities;
  const max_events_per_second = typeof rate === "number" ? Math.min(rate, maxRate) : maxRate;
  return { ...answer, honored_capabilities: { ...answer.honored_capabilities, max_events_per_second } };
}

/** Choices of conforming producers about timing. */
export const tempos: readonly PartyChoice<ProducerPolicy>[] = [
  ...Object.entries(actionDelays).map(([time, durationText]) => ({
    name: `action-late-${time.replace(".", "-")}`,
    kind: "tempo" as const,
    factor: "action-late",
    freedoms: [],
    says: `carries out an accepted action after ${durationText}`,
    changePolicy: () => ({ actionDuration: Number(time) * 1000 }),
  })),
  {
    name: "rate-of-its-own",
    kind: "tempo",
    freedoms: [],
    says: "grants at most a hundred events a second, one at a time, so that questions overtake earlier events",
    // It joins all chunks of an output into one, which has position 0 in spite of this mistake.
    moots: ["breaks-AAEP-STRM-002"],
    // Without a handshake, no rate is granted, and no event may overtake earlier ones.
    changePolicy: ({ rateFor, changeHandshake, changeRenegotiation, shakesHands }) =>
      shakesHands
        ? {
            rateFor: (...rateArguments) => Math.min(rateFor(...rateArguments) ?? maxRate, maxRate),
            burstSize: () => 1,
            changeHandshake: (...handshakeArguments) => limitGrantedRate(changeHandshake(...handshakeArguments)),
            changeRenegotiation: (answer) => limitGrantedRate(changeRenegotiation(answer)),
          }
        : {},
  },
  {
    name: "clock-of-deadlines",
    kind: "tempo",
    factor: "clock",
    freedoms: [],
    says: "has a clock hook that only moves the deadlines of questions, and says so",
    changePolicy: () => ({ movesTimer: (timer) => timer === "deadline" }),
  },
  {
    name: "clock-of-work",
    kind: "tempo",
    factor: "clock",
    freedoms: [],
    says: "has a clock hook that moves everything but the deadlines of questions, and says so",
    moots: ["breaks-AAEP-TMO-002-cap"],
    changePolicy: () => ({ movesTimer: (timer) => timer === "work" }),
  },
];
