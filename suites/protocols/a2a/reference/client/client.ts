import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { BindingName, OperationName } from "../agent/agent.ts";

/** An order from the client's user. */
export interface ClientOrder {
  /** The address of the agent. */
  url: string;
  operation: OperationName;
  params: JsonObject;
  /** The URIs of the extensions to use. */
  extensions: readonly string[];
  /** The credentials, by the names of the card's schemes. */
  credentials: Readonly<Record<string, string>>;
  keys: readonly Json[];
}

/** The facts about an interface in a card that the client needs. */
export interface ClientInterface {
  url: string;
  binding: string;
  version: string;
  tenant: string | undefined;
}

/** A request before it is sent. */
export interface ClientRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Json | undefined;
}

/** The call of an operation at an interface. */
export interface ClientCall {
  order: ClientOrder;
  endpoint: ClientInterface & { binding: BindingName };
  card: JsonObject;
  id: Json;
}

/** The reason why an order failed, with facts that distinguish it from others. */
export class ClientFailure extends Error {
  readonly facts: JsonObject;

  constructor(name: string, message: string, facts: JsonObject = {}) {
    super(message);
    this.facts = { name, ...facts, message };
  }
}

/** The interface did not answer. */
export class Unreachable extends ClientFailure {}

/** The decisions of a client. `policy.ts` has the decisions of a correct client; a variant replaces some of them. */
export interface ClientPolicy {
  /** The milliseconds before it carries out an order. */
  delay: number;
  /** The interfaces that it tries, in order. */
  chooseEndpoints(endpoints: readonly ClientInterface[]): readonly ClientInterface[];
  /** Whether the next interface is tried if one cannot be reached. */
  triesNextInterface: boolean;
  /** Whether it checks a capability before it uses it. */
  checksCapability(capability: string): boolean;
  /** Whether it calls an agent that requires an unsupported extension. */
  callsWithoutExtension: boolean;
  /** Whether it reports a failed call without a required extension. */
  reportsMissingExtension: boolean;
  /** Whether it uses a signed card. `isVerified` tells whether any signature verifies. */
  usesCard(card: JsonObject, isVerified: boolean): boolean;
  /** The id of a call, given the number of earlier calls. */
  createId(count: number): Json;
  /** Encodes a value in a path or a query. */
  encode(value: string): string;
  /** Changes a request just before it is sent. */
  changeRequest(request: ClientRequest, call: ClientCall): ClientRequest;
  /** Whether an answer with this id belongs to the call. */
  isAnswerTo(id: Json | undefined, call: ClientCall): boolean;
  /** Whether a result is accepted. */
  acceptsResult(result: Json): boolean;
  /** The report of a failure; undefined reports an empty result instead. */
  reportFailure(facts: JsonObject): JsonObject | undefined;
  /** Whether it reports a failure instead of a stream, a failure within a stream, or a broken stream. */
  noticesFailure(failure: "instead" | "within" | "cut"): boolean;
  /** Splits the text of a stream into the data of its events. */
  splitEvents(handleData: (data: string) => void): (text: string) => void;
  /** Decodes the pieces of a stream. */
  createDecoder(): (piece: Uint8Array) => string;
  /** The operation for following a task that waits for a credential; undefined if the client does not follow it. */
  followOperation: OperationName | undefined;
}

/** A running client. */
export interface Client {
  policy: ClientPolicy;
  /** The number of calls so far. */
  callCount: number;
  ending: AbortController;
}
