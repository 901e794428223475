import type { Json, JsonObject, Protocol } from "../../../../../schemas/index.ts";
import type { Clock } from "./clock.ts";
import type { Policy } from "./policy.ts";

/** Whether a value is valid as a document. */
export type IsWhole = (document: string, value: Json) => boolean;

/** What a producer sends to a subscription, and how its connection is ended. */
export interface Outlet {
  send(message: JsonObject): void;
  end(): void;
}

export interface Terms {
  /** Events a second that are not critical; absent: any number. */
  rate?: number;
  include: readonly string[];
  exclude: readonly string[];
  languages: readonly string[];
  confirms: boolean;
  clarifies: boolean;
}

/** A subscription; without an outlet its connection is gone. */
export interface Subscription {
  id: string;
  owner: string | undefined;
  capabilities: JsonObject;
  terms: Terms;
  outlet?: Outlet;
  /** Still listed without a connection. */
  isKept?: boolean;
  /** What it may still be sent within the rate, and since when. */
  budget: { tokens: number; since: number };
  /** Events over the rate, joined where they can be. */
  held: JsonObject[];
  draining?: () => void;
}

export interface Question {
  event: JsonObject;
  session: Session;
  deadline: number;
  isOpen: boolean;
  /** What settled it; absent where the time was over. */
  answer?: JsonObject;
  /** Settles it; the time is over when there is no answer. */
  settle(answer: JsonObject | undefined): void;
}

export interface Session {
  id: string;
  events: JsonObject[];
  /** Stops what is under way. */
  ended: boolean;
  language?: string;
}

/** Something that was really done. */
export interface Effect {
  session_id: string;
  tool: string;
  at: string;
}

export interface Producer {
  protocol: Protocol;
  clock: Clock;
  policy: Policy;
  /** Address of its manifest. */
  manifestUri: string;
  /** Who may come, by the token that they show; anybody when there is nobody in it. */
  principals: ReadonlyMap<string, string>;
  subscriptions: Map<string, Subscription>;
  sessions: Map<string, Session>;
  questions: Map<string, Question>;
  effects: Effect[];
  /** Ids that it has given. */
  drawn: number;
}

/** The languages of its texts, the primary one first. */
export const languages = ["en-GB", "pt-PT", "cy"] as const;

/** Extensions that it knows, with their prefixes; two of them claim the same. */
export const extensions: Readonly<Record<string, string>> = {
  "https://tidewatch.example/context/v1": "tide",
  "https://tidetable.example/context/v1": "tide",
  "https://harbour.example/context/v1": "quay",
};

export const version = "1.0.0";
export const agent = { agent_id: "harbour-desk", agent_version: "2.3.0", agent_name: "Harbour Desk" };

/** An id of a kind that no other thing has. */
export function idFor(producer: Producer, kind: string): string {
  producer.drawn += 1;
  return `${kind}_${producer.clock.now().toString(36)}x${producer.drawn.toString(36)}`;
}
