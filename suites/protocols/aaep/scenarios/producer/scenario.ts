import type { Scenario } from "../../../../../schemas/index.ts";

type ProducerPlay = Pick<Scenario, "name" | "says" | "rules" | "play"> & {
  needs?: readonly string[];
  withinMs?: number;
  waits?: number;
  slow?: true;
};

/** A scenario that is played against a producer. */
export function toProducer(play: ProducerPlay): Scenario {
  return { side: "producer", needs: ["start"], withinMs: 120_000, ...play };
}
