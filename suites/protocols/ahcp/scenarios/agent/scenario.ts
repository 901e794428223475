import type {
  Action,
  Cause,
  JsonObject,
  Level,
  Scenario,
  SigningKey,
  Violation,
} from "../../../../../schemas/index.ts";
import type { First, SuiteHub } from "./hub.ts";
import type { PushStamp } from "./push.ts";

/** A push to be sent; each missing member means the right value. */
export interface Push {
  body: JsonObject;
  /** The signed body, if it is not the sent body. */
  signed?: JsonObject;
  /** URL that is signed. */
  url?: string;
  stamp?: Partial<PushStamp>;
  key?: SigningKey;
  /** Header in place of a signature; `null` for none. */
  header?: string | null;
  /** The text of the body, if it is not the usual one. */
  text?: string;
}

/** Result of a push. */
export interface Delivered {
  status: number;
  /** The agent's actions on it; undefined if no hook reports them. */
  actions: readonly Action[] | undefined;
}

/** The context of a scenario with an agent. */
export interface AgentContext {
  /** The Response to a message that the agent waits for; `of` is another agent's id. */
  outcome(more?: JsonObject, response?: JsonObject, of?: string): Promise<JsonObject>;
  deliver(push: Push): Promise<Delivered>;
  /** The agent's actions on this outcome so far; undefined if no hook reports them. */
  acted(body: JsonObject): Promise<readonly Action[] | undefined>;
  /** A stamp of now, or of so many seconds from now. */
  stamp(seconds?: number): PushStamp;
  /** A hub of the suite's own. The agent was asked to submit a message to it, with a callback if `push` is given. Throws a TargetSkip if no hook can ask the agent. */
  hub(first: First, more?: { push: true }): Promise<SuiteHub>;
  /** Ends the agent's process and starts another. Throws a TargetSkip without the hook. */
  restart(): Promise<void>;
  /** Waits until it is so, for so many milliseconds at the most, by the setting's scale. */
  until(isSo: () => boolean, milliseconds: number): Promise<void>;
  /** The violations of a message. */
  violations(message: JsonObject): Promise<readonly Violation[]>;
  expect(rule: string, holds: boolean, why: string, level?: Level): void;
  skip(rule: string, why: string, cause?: Cause): void;
  key: SigningKey;
  url: string;
}

/** One story with an agent. */
export interface AgentScenario extends Pick<Scenario, "name" | "says" | "rules" | "withinMs"> {
  play(context: AgentContext): Promise<void>;
}
