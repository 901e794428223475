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
import type { Stamp } from "./push.ts";

/** A push, as it is to go out; what is not given is as it should be. */
export interface Push {
  body: JsonObject;
  /** What is signed, where it is not what is sent. */
  signed?: JsonObject;
  /** URL that is signed. */
  url?: string;
  stamp?: Partial<Stamp>;
  key?: SigningKey;
  /** Header in place of a signature; `null` for none. */
  header?: string | null;
  /** The text of the body, where it is not the usual one. */
  text?: string;
}

/** Result of a push. */
export interface Delivered {
  status: number;
  /** What the agent has done on it; undefined where nobody tells. */
  actions: readonly Action[] | undefined;
}

/** What a scenario with an agent is played with. */
export interface AgentContext {
  /** The Response to a message that the agent waits for; `of` is another agent's id. */
  outcome(more?: JsonObject, response?: JsonObject, of?: string): Promise<JsonObject>;
  deliver(push: Push): Promise<Delivered>;
  /** What the agent has done on this outcome so far; undefined where nobody tells. */
  acted(body: JsonObject): Promise<readonly Action[] | undefined>;
  /** A stamp of now, or of so many seconds from now. */
  stamp(seconds?: number): Stamp;
  /** A hub of the suite's own, to which the agent was told to submit something, with a callback if `push` is given. Throws a TargetSkip when nobody can tell it. */
  hub(first: First, more?: { push: true }): Promise<SuiteHub>;
  /** Ends the agent's process and starts another. Throws a TargetSkip when nobody can. */
  restart(): Promise<void>;
  /** Waits until it is so, for so many milliseconds at the most, by the setting's scale. */
  until(isSo: () => boolean, milliseconds: number): Promise<void>;
  /** What there is against a message. */
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
