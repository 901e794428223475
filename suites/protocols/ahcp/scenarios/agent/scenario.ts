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

/** A push to send; for each missing member the correct value is used. */
export interface Push {
  body: JsonObject;
  /** The signed body, if it is not the sent body. */
  signed?: JsonObject;
  /** The URL that is signed, if it is not the agent's. */
  url?: string;
  stamp?: Partial<PushStamp>;
  key?: SigningKey;
  /** The header instead of a signature; `null` for none. */
  header?: string | null;
  /** The text of the body, if it is not the usual one. */
  text?: string;
}

/** The result of a push. */
export interface DeliveryResult {
  status: number;
  /** The agent's actions on it; undefined if no hook reports them. */
  actions: readonly Action[] | undefined;
}

/** The context of a scenario with an agent. */
export interface AgentContext {
  /** The Response to a message that the agent waits for; `agentId` names another agent. */
  outcome(members?: JsonObject, response?: JsonObject, agentId?: string): Promise<JsonObject>;
  deliverPush(push: Push): Promise<DeliveryResult>;
  /** The agent's actions on this outcome so far; undefined if no hook reports them. */
  actionsOn(body: JsonObject): Promise<readonly Action[] | undefined>;
  /** A stamp of the present time, or of this many seconds later. */
  stamp(seconds?: number): PushStamp;
  /** Starts a hub of the suite, and asks the agent to submit a message to it, with a callback if `push` is given. Throws a TargetSkip if no hook can ask the agent. */
  hub(first: FirstReply, members?: { push: true }): Promise<SuiteHub>;
  /** Ends the agent's process and starts another. Throws a TargetSkip without the hook. */
  restart(): Promise<void>;
  /** Waits until the condition is true, at most for these milliseconds, by the setting's scale. */
  waitUntil(condition: () => boolean, milliseconds: number): Promise<void>;
  /** The violations of a message. */
  violations(message: JsonObject): Promise<readonly Violation[]>;
  expect(rule: string, holds: boolean, why: string, level?: Level): void;
  skip(rule: string, why: string, cause?: Cause): void;
  key: SigningKey;
  url: string;
}

/** A scenario with an agent. */
export interface AgentScenario extends Pick<Scenario, "name" | "says" | "rules" | "withinMs"> {
  play(context: AgentContext): Promise<void>;
}
