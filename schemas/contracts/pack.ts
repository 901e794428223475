import type { Json } from "../json.ts";
import type { AnswersReader, RecordedReader } from "../recording.ts";
import type { Change } from "../vector.ts";
import type { AgentSide } from "./agent.ts";
import type { Checker } from "./checker.ts";
import type { LiveReference } from "./live.ts";
import type { RuleFamily } from "./rule-family.ts";
import type { Scenario, TimeBound } from "./scenario.ts";
import type { Service } from "./service.ts";
import type { SessionReader } from "./session.ts";
import type { Signer } from "./signer.ts";
import type { Twin } from "./twin.ts";
import type { Walker } from "./walker.ts";
import type { Walks } from "./walks.ts";

/** The code of a protocol, in addition to its data. Every part is optional, and is loaded on first use. */
export interface Pack {
  /**
   * The checkers of the semantic rules, and their cases; for rules in files, the checkers that the files name. A pack may have both, for
   * different rules. `resign` is for a pack that extends another: it returns the changes that sign an inherited case (`mine`) again. `before`
   * is the parent's original case, with its signature.
   */
  rules?(): Promise<{
    families?: readonly RuleFamily[];
    checkers?: readonly Checker[];
    resign?: (mine: Json, before: Json, document: string) => Change[];
  }>;
  /**
   * For a protocol with rules about sequences of messages; `recorded` reads the recording of a scenario. `isUnordered`: parties fetch their
   * messages one by one, so that a recording does not give the order of sending. `isHeldLive`: the exchanges of scenarios are checked
   * against the rules too, since the reader reads all of them. `provoked`: rules with advice (SHOULD) that
   * scenarios make parties ignore on purpose; in scenarios, only the MUSTs of such rules count.
   */
  session?(): Promise<{
    session: SessionReader;
    recorded?: RecordedReader;
    isUnordered?: boolean;
    isHeldLive?: boolean;
    provoked?: readonly string[];
  }>;
  /**
   * For a protocol without such rules: pairs recorded answers with their requests. `isHeldLive`: the exchanges of scenarios are
   * checked against the rules on messages. `provoked`: as above.
   */
  answers?(): Promise<{ answers: AnswersReader; isHeldLive?: boolean; provoked?: readonly string[] }>;
  /** For a protocol that signs its messages. */
  signer?(): Promise<Signer>;
  /** For a protocol with cases that begin with a recording given as steps. */
  walker?(): Promise<Walker>;
  /** The reference implementation that judges messages, and its variants. */
  reference?(): Promise<{ service: Service }>;
  /** An implementation that keeps every rule, and can use or not use each freedom. */
  twin?(): Promise<{ twin: Twin }>;
  /**
   * Scenarios for a live implementation. `takesCommand`: a party may also be a command that exchanges lines with the suite. `bounds`: the
   * maximum times for which scenarios wait.
   */
  scenarios?(): Promise<{ scenarios: readonly Scenario[]; takesCommand?: boolean; bounds?: readonly TimeBound[] }>;
  /** The reference implementation that scenarios are played with, and its broken variants. */
  live?(): Promise<{ live: LiveReference }>;
  /** Races, and random walks along a model. */
  walks?(): Promise<{ walks: Walks }>;
  /** Stories with the suite as the other party. */
  agent?(): Promise<{ agent: AgentSide }>;
}
