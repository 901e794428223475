import type {
  Protocol,
  ScenarioContext,
  ScenarioFinding,
  Setting,
  Skip,
  TargetFailure,
} from "../../../schemas/index.ts";
import type { AccessGate } from "./access.ts";
import type { PartyRoute } from "./address.ts";
import type { Takes } from "./notes.ts";
import type { Receiver } from "./receiver/receiver.ts";

/** The input of one play of a scenario. */
export interface PlayOptions {
  protocol: Protocol;
  setting: Setting;
  /** Absent for a party without an address. */
  way?: PartyRoute | undefined;
  seed: number;
  /** The number of the attempt, from 0. Each attempt sends different ids. */
  attempt?: number;
  /** The name of the scenario. */
  name: string;
  signal: AbortSignal;
  /** Starts the receiver of callbacks, or returns the existing one. */
  receiver(): Promise<Receiver>;
  /** Remembers which senders the target has accepted; absent if unknown. */
  gate?: AccessGate;
  /** Extends the scenario's time by these milliseconds, which the target needed for an answer or asked the suite to wait. */
  extend?: (milliseconds: number) => void;
  takes?: Takes | undefined;
  /** Whether breaches count even if the suite was held up. */
  isTrial?: boolean | undefined;
  /** Called for each wait that was not cut short, with its unscaled milliseconds. */
  onWait?: ((milliseconds: number) => void) | undefined;
  /** Called for each finding. */
  onFinding?: ((finding: ScenarioFinding) => void) | undefined;
}

/** The context of a play, with the facts that decide how its end is judged. */
export interface OpenContext {
  context: ScenarioContext;
  findings: ScenarioFinding[];
  /** Whether the target has answered any request. */
  heard: () => boolean;
  /** Returns the last messages between the parties, to show with a scenario that ended early. */
  last(): Pick<ScenarioFinding, "exchanges" | "trace">;
  /** Returns the failure of a hook that had not answered when the time was over. */
  hung: () => TargetFailure | undefined;
  /** Returns a skip if a timeout after `waitedMs` milliseconds shows nothing because the suite itself was held up. */
  heldUp: (waitedMs?: number) => Skip | undefined;
  /** Closes all servers of the scenario. Never throws. */
  close(): Promise<void>;
}
