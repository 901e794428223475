import type { Scenario } from "../../../../../schemas/index.ts";

type ProducerPlay = Pick<Scenario, "name" | "says" | "rules" | "play"> & {
  needs?: readonly string[];
  withinMs?: number;
  waits?: number;
  slow?: true;
};

/** Makes a scenario that is played against a producer, with the usual needs and time limit. */
export function toProducer(play: ProducerPlay): Scenario {
  return { side: "producer", needs: ["start"], withinMs: 120_000, ...play };
}
