import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { PartyChoice } from "../../choice.ts";
import type { ProducerPolicy } from "../model.ts";

const seconds = { "0.1": "a tenth of a second", "1": "a second", "3": "three seconds" };

/** The rate of the producer, in events per second. */
const ownRate = 100;

function grantOwnRate(answer: JsonObject | undefined): JsonObject | undefined {
  if (!isObject(answer?.honored_capabilities)) return answer;
  const { max_events_per_second: rate } = answer.honored_capabilities;
  const max_events_per_second = typeof rate === "number" ? Math.min(rate, ownRate) : ownRate;
  return { ...answer, honored_capabilities: { ...answer.honored_capabilities, max_events_per_second } };
}

/** Choices about the times at which a right producer acts. */
export const tempos: readonly PartyChoice<ProducerPolicy>[] = [
  ...Object.entries(seconds).map(([time, words]) => ({
    name: `action-late-${time.replace(".", "-")}`,
    kind: "tempo" as const,
    factor: "action-late",
    freedoms: [],
    says: `carries out an accepted action after ${words}`,
    makes: () => ({ takes: Number(time) * 1000 }),
  })),
  {
    name: "rate-of-its-own",
    kind: "tempo",
    freedoms: [],
    says: "grants at most a hundred events a second, one at a time, so that questions overtake earlier events",
    // If its outputs are joined, their chunks begin at the only position that this mistake leaves right.
    moots: ["breaks-AAEP-STRM-002"],
    // Without a handshake, no rate is granted, and no event may overtake earlier ones.
    makes: ({ rate, handshake, renegotiation, shakesHands }) =>
      shakesHands
        ? {
            rate: (...given) => Math.min(rate(...given) ?? ownRate, ownRate),
            burst: () => 1,
            handshake: (...given) => grantOwnRate(handshake(...given)),
            renegotiation: (answer) => grantOwnRate(renegotiation(answer)),
          }
        : {},
  },
  {
    name: "clock-of-deadlines",
    kind: "tempo",
    factor: "clock",
    freedoms: [],
    says: "has a clock that only moves the deadlines of questions, and says so",
    makes: () => ({ moves: (timer) => timer === "deadline" }),
  },
  {
    name: "clock-of-work",
    kind: "tempo",
    factor: "clock",
    freedoms: [],
    says: "has a clock that moves everything but the deadlines of questions, and says so",
    moots: ["breaks-AAEP-TMO-002-cap"],
    makes: () => ({ moves: (timer) => timer === "work" }),
  },
];
