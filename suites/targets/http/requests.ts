import type { Endpoint, PreparedMessage, Question, ReceiverSigner, Signer } from "../../../schemas/index.ts";
import type { Address } from "../../base/http/address.ts";
import { isStreamType, type Request } from "../../base/http/send.ts";
import { acceptFor } from "./accept.ts";
import { bodyOf } from "./body.ts";
import { givenNames, withGiven } from "./cookies.ts";
import type { Fitting } from "./fresh-values.ts";
import type { Keys } from "./keys.ts";
import { outgoingMessage } from "./outgoing-message.ts";
import { placeParameters, withQuery } from "./parameters.ts";

/** The maximum bytes of an answer of a described interface: exports and lists may be long. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** Whether an answer may be a stream, according to the description. */
export function mayStream({ described }: Endpoint): boolean {
  return described?.statuses?.named.some(({ types }) => types.some(isStreamType)) === true;
}

/** The parts of requests that depend on the question. */
interface RequestParts {
  signer: Signer | undefined;
  fittings: ReadonlyMap<string, Fitting>;
  keys: Keys | undefined;
}

/** Makes requests to a server, with their addresses, dates and signatures. */
export class Requests {
  readonly #address: Address;
  /** Sent with every request. */
  readonly headers: Record<string, string>;
  readonly #signer: Signer | undefined;
  readonly #fittings: ReadonlyMap<string, Fitting>;
  readonly #keys: Keys | undefined;
  /** The parameters in the query of the address. */
  readonly #given: ReadonlySet<string>;
  /** Signs messages for a receiver with its own identity, once that is known. */
  post: ReceiverSigner | undefined;

  constructor(address: Address, headers: Record<string, string>, { signer, fittings, keys }: RequestParts) {
    this.#address = address;
    this.headers = headers;
    this.#signer = signer;
    this.#fittings = fittings;
    this.#keys = keys;
    this.#given = givenNames({}, address.search);
  }

  readonly pathTo = (path: string): string => `${this.#address.prefix}${path}${this.#address.search}`;

  /** Returns the signer for an endpoint. An endpoint with its own statuses checks documents for any recipient, so nothing is signed for it. */
  postTo({ accepted, rejected }: Endpoint): ReceiverSigner | undefined {
    return accepted === undefined && rejected === undefined ? this.post : undefined;
  }

  /** Writes the message for a question at a given time. */
  written(question: Question, route: Endpoint, isWrapped: boolean, time: number): PreparedMessage {
    const receiver = this.postTo(route);
    if (receiver !== undefined) return receiver.write(outgoingMessage(question, isWrapped, time));
    const fitting = this.#fittings.get(question.document.name);
    return { body: bodyOf(question, isWrapped, { now: time, sign: this.#signer?.sign, fitting }), isRight: false };
  }

  /** Creates the request with a body, or parameters, to an endpoint; `attempt` numbers different requests for one question. */
  requestFor(question: Question, route: Endpoint, body: PreparedMessage["body"], attempt = 0): Request {
    const { headers } = this;
    if (route.parameters === undefined && route.type === undefined) {
      const ownHeaders = question.yaml === true ? { ...headers, "content-type": "application/yaml" } : headers;
      return { method: route.method, path: this.pathTo(route.path), headers: ownHeaders, body };
    }
    const ownHeaders = route.carries === "parameters" ? question.data : route.given?.parameters;
    const sentBody = route.carries === undefined ? body : JSON.stringify(route.given?.body ?? null);
    const keys = this.#keys?.of(question, route, sentBody, attempt);
    const {
      path,
      query,
      headers: parameterHeaders,
    } = placeParameters(route, keys === undefined ? ownHeaders : keys.values, this.#given);
    const { "content-type": type = "", ...askedHeaders } = headers;
    const accept = acceptFor(route, askedHeaders.accept);
    const givenHeaders = accept === undefined ? askedHeaders : { ...askedHeaders, accept };
    const allHeaders = keys === undefined ? givenHeaders : { ...givenHeaders, ...keys.headers };
    const hasBody = route.carries === undefined || route.given?.body !== undefined;
    const media = question.yaml === true ? "application/yaml" : (route.type ?? type);
    return {
      ...(route.described === undefined ? {} : { maxSize: maxAnswerBytes, isStream: mayStream(route) }),
      method: route.method,
      path: withQuery(this.pathTo(path), query),
      headers: { ...withGiven(parameterHeaders, allHeaders), ...(hasBody ? { "content-type": media } : {}) },
      body: route.carries === undefined ? body : hasBody ? JSON.stringify(route.given?.body) : null,
    };
  }
}
