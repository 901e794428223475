import type {
  AgentSide,
  Cases,
  Checker,
  Json,
  Level,
  LiveReference,
  RuleFamily,
  Scenario,
  Service,
  SessionReader,
  Sign,
  Walk,
  Walks,
} from "../../../schemas/index.ts";

/** A checker of a user's pack. Its facts about the rule replace an entry in rules.json. */
export interface OwnChecker extends Omit<Checker, "documents" | "check"> {
  /** All documents by default. */
  documents?: readonly string[];
  check?(instance: Json, document: string): ReturnType<NonNullable<Checker["check"]>> | undefined;
  statement?: string;
  level?: Level;
}

/** Rules that belong together, in a user's pack. */
export interface OwnFamily extends Omit<RuleFamily, "name" | "checkers" | "cases"> {
  name?: string;
  checkers: readonly OwnChecker[];
  cases?: readonly Cases[];
}

/** A part: a value, an object with the value under the part's name, or a function that returns either of them on first use. */
type LazyPart<T, Name extends string> = T | { [K in Name]: T } | (() => Awaitable<T | { [K in Name]: T }>);
type Awaitable<T> = T | Promise<T>;

/** The export `pack` of a pack's `index.js`, or its default export: each part is optional, and given directly or as a function that loads it. */
export interface OwnPack {
  rules?: LazyPart<readonly OwnFamily[], "families">;
  session?: SessionReader | (() => Promise<{ session: SessionReader }>);
  signer?: Sign | (() => Promise<{ sign: Sign }>);
  walker?: Walk | (() => Promise<{ walk: Walk }>);
  reference?: LazyPart<Service, "service">;
  scenarios?: LazyPart<readonly Scenario[], "scenarios">;
  live?: LazyPart<LiveReference, "live">;
  walks?: LazyPart<Walks, "walks">;
  agent?: LazyPart<AgentSide, "agent">;
}

/** Returns the pack unchanged. With it, an editor can complete and check the members. */
export function definePack(pack: OwnPack): OwnPack {
  return pack;
}
