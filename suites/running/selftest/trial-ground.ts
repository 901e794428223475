import type { LiveReference, Protocol, Scenario } from "../../../schemas/index.ts";

/** The parts of a protocol that trials use. */
export interface TrialGround {
  protocol: Protocol;
  scenarios: readonly Scenario[];
  live: LiveReference;
}
