import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { BindingName, OperationName } from "../agent/agent.ts";

/** The wish of its user. */
export interface ClientOrder {
  /** Where the agent is. */
  url: string;
  operation: OperationName;
  params: JsonObject;
  /** Extensions that it uses. */
  extensions: readonly string[];
  /** By the names of the card's schemes. */
  credentials: Readonly<Record<string, string>>;
  keys: readonly Json[];
}

/** An interface of a card, as far as the client needs it. */
export interface ClientDoor {
  url: string;
  binding: string;
  version: string;
  tenant: string | undefined;
}

/** A request before it goes out. */
export interface ClientRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Json | undefined;
}

/** A request to be made at an interface. */
export interface ClientCall {
  order: ClientOrder;
  door: ClientDoor & { binding: BindingName };
  card: JsonObject;
  id: Json;
}

/** The reason why nothing came of an order, with facts that distinguish it from others. */
export class ClientFailure extends Error {
  readonly facts: JsonObject;

  constructor(name: string, message: string, facts: JsonObject = {}) {
    super(message);
    this.facts = { name, ...facts, message };
  }
}

/** The interface did not answer at all. */
export class Unreachable extends ClientFailure {}

/** All decisions of a client. Those of a right one are in `policy.ts`; a variant replaces some. */
export interface ClientPolicy {
  /** Milliseconds before it carries out an order. */
  delay: number;
  /** The interfaces that it tries, in its order. */
  doors(all: readonly ClientDoor[]): readonly ClientDoor[];
  /** Whether the next interface is tried if one cannot be reached. */
  fallsBack: boolean;
  /** Whether it looks at a capability before it uses it. */
  looksAt(capability: string): boolean;
  /** Whether it calls an agent that requires an extension which it does not use. */
  callsAnyway: boolean;
  /** Whether it reports a failure of a call without a required extension. */
  mindsExtensions: boolean;
  /** Whether a card is used, by whether one of its signatures holds. */
  uses(card: JsonObject, holds: boolean): boolean;
  /** The id of the call of so many calls before. */
  id(count: number): Json;
  /** A value in a path or a query. */
  encodes(value: string): string;
  /** The last word on a request. */
  requests(request: ClientRequest, call: ClientCall): ClientRequest;
  /** Whether an answer with this id belongs to the call. */
  takesId(id: Json | undefined, call: ClientCall): boolean;
  /** Whether a result is accepted. */
  accepts(result: Json): boolean;
  /** The report of a failure; undefined: it is read as an empty result. */
  reports(facts: JsonObject): JsonObject | undefined;
  /** Whether a failure in place of a stream, within it, or its cut is reported. */
  minds(failure: "instead" | "within" | "cut"): boolean;
  /** Splits the text of a stream into the data of its events. */
  frames(take: (data: string) => void): (text: string) => void;
  /** Makes texts of the pieces of a stream. */
  decodes(): (piece: Uint8Array) => string;
  /** The operation to follow a task that waits for a credential; undefined: it is not followed. */
  follows: OperationName | undefined;
}

/** A client at work. */
export interface Client {
  policy: ClientPolicy;
  /** Calls that it has made. */
  count: number;
  ending: AbortController;
}
