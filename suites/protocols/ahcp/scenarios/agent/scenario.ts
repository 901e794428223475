import type {
  Action,
  Cause,
  JsonObject,
  Level,
  Scenario,
  SigningKey,
  Violation,
} from "../../../../../schemas/index.ts";
import type { FirstReply, SuiteHub } from "./hub.ts";
import type { PushStamp } from "./push.ts";

/** A push to send. Missing members have correct values. */
export interface Push {
  body: JsonObject;
  /** The body to sign; by default the sent one. */
  signed?: JsonObject;
  /** The URL to sign; by default the agent's. */
  url?: string;
  stamp?: Partial<PushStamp>;
  key?: SigningKey;
  /** The header instead of a signature; `null` for none. */
  header?: string | null;
  /** The serialized body; by default compact JSON. */
  text?: string;
}

/** The result of a push. */
export interface DeliveryResult {
  status: number;
  /** The agent's actions on it; undefined if no hook reports them. */
  actions: readonly Action[] | undefined;
}

/** The context of a scenario against an agent. */
export interface AgentContext {
  /** Announces a message to the agent, and returns a Response to it. `agentId` replaces the agent of the message. */
  outcome(members?: JsonObject, response?: JsonObject, agentId?: string): Promise<JsonObject>;
  deliverPush(push: Push): Promise<DeliveryResult>;
  /** The agent's actions on this outcome so far; undefined if no hook reports them. */
  actionsOn(body: JsonObject): Promise<readonly Action[] | undefined>;
  /** A new stamp with the current time plus `seconds`. */
  stamp(seconds?: number): PushStamp;
  /**
   * Starts a hub of the suite, and asks the agent to submit a message to it. With `push`, the message has a callback. Throws a
   * TargetSkip if no hook can ask the agent.
   */
  hub(first: FirstReply, members?: { push: true }): Promise<SuiteHub>;
  /** Restarts the agent. Throws a TargetSkip without the hook. */
  restart(): Promise<void>;
  /** Waits until the condition is true, for at most this many milliseconds times the time scale. */
  waitUntil(condition: () => boolean, milliseconds: number): Promise<void>;
  /** Validates a message. */
  violations(message: JsonObject): Promise<readonly Violation[]>;
  expect(rule: string, holds: boolean, why: string, level?: Level): void;
  skip(rule: string, why: string, cause?: Cause): void;
  key: SigningKey;
  url: string;
}

/** A scenario against an agent. */
export interface AgentScenario extends Pick<Scenario, "name" | "says" | "rules" | "withinMs"> {
  play(context: AgentContext): Promise<void>;
}
