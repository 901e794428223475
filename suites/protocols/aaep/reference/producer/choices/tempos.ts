import type { PartyChoice } from "../../choice.ts";
import type { ProducerPolicy } from "../model.ts";

const seconds = { "0.1": "a tenth of a second", "1": "a second", "3": "three seconds" };

/** When a right producer acts. */
export const tempos: readonly PartyChoice<ProducerPolicy>[] = [
  ...Object.entries(seconds).map(([time, words]) => ({
    name: `action-late-${time.replace(".", "-")}`,
    kind: "tempo" as const,
    factor: "action-late",
    freedoms: [],
    says: `takes ${words} for what was accepted`,
    makes: () => ({ takes: Number(time) * 1000 }),
  })),
  {
    name: "clock-of-deadlines",
    kind: "tempo",
    factor: "clock",
    freedoms: [],
    says: "has a clock that moves the deadlines of questions alone, and says so",
    makes: () => ({ moves: (timer) => timer === "deadline" }),
  },
  {
    name: "clock-of-work",
    kind: "tempo",
    factor: "clock",
    freedoms: [],
    says: "has a clock that moves everything but the deadlines of questions, and says so",
    makes: () => ({ moves: (timer) => timer === "work" }),
  },
];
