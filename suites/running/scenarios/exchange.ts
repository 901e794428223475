import {
  type Arrival,
  type HttpExchange,
  type HttpReply,
  type Json,
  jsonOf,
  type Reaction,
  type ReactionAnswer,
} from "../../../schemas/index.ts";
import { joinHeaderValues, type Redactor } from "../../base/http/redact.ts";
import { quote } from "../../base/text/show.ts";

/** Formats a request to a callback and its answer. The signature is shown, because it does not reveal the secret. */
export function exchangeOf(
  { method, target, headers, body, reaction }: Arrival,
  url: string,
  hide: Redactor,
  signatureHeader: string | undefined,
): HttpExchange {
  const signature = signatureHeader === undefined ? undefined : headers[signatureHeader];
  const shownHeaders = {
    ...hide.headers(headers),
    ...(signature === undefined ? {} : { [signatureHeader as string]: signature }),
  };
  return {
    request: {
      method,
      url: `${new URL(url).origin}${target}`,
      headers: shownHeaders,
      body: hide.body(body.toString("utf8")),
    },
    ...answerOf(reaction),
    incoming: true,
  };
}

/** Formats the answer to a callback; empty if the connection was reset instead. */
function answerOf(reaction: Reaction): Pick<HttpExchange, "response"> {
  if (reaction === "reset") return {};
  const { status, headers = {} }: ReactionAnswer = typeof reaction === "number" ? { status: reaction } : reaction;
  return { response: { status, headers, body: "" } };
}

/** A request as it is sent to the target. */
export interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The body as text, for reports and recordings. */
  body: string;
  /** The bytes of a body that is not text. */
  bytes?: Uint8Array;
  /** The sender, if the suite has credentials. */
  as?: string | undefined;
}

/** Returns a body as text, and also as bytes if it was passed as bytes. */
export function bodyOf(body: Json | undefined, bytes: Uint8Array | undefined): Pick<SentRequest, "body" | "bytes"> {
  if (bytes !== undefined) return { body: Buffer.from(bytes).toString("utf8"), bytes };
  return { body: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body) };
}

/** Formats a request without an answer. */
export function unansweredExchange(
  { method, path, headers, body, as }: SentRequest,
  url: string,
  hide: Redactor,
): HttpExchange {
  const address = `${new URL(url).origin}${path}`;
  const request = { method, url: address, headers: hide.headers(headers), body: hide.body(body) };
  return { request, ...(as === undefined ? {} : { as: hide.text(as) }) };
}

export function replyOf(
  request: SentRequest,
  answer: { status: number; headers: Record<string, string | string[] | undefined>; body: string },
  url: string,
  hide: Redactor,
): HttpReply {
  let shownExchange: HttpExchange | undefined;
  return {
    status: answer.status,
    headers: joinHeaderValues(answer.headers),
    text: answer.body,
    json: jsonOf(answer.body),
    // Computed on demand, because hiding secrets is slow and few exchanges are ever shown.
    get exchange() {
      shownExchange ??= {
        ...unansweredExchange(request, url, hide),
        response: { status: answer.status, headers: hide.headers(answer.headers), body: hide.body(answer.body) },
      };
      return shownExchange;
    },
    at: performance.now(),
  };
}

/** Whether an answer is usable: not a failure of the server itself, and not invalid JSON labelled as JSON. */
export function isSound({ status, headers, text, json }: HttpReply): boolean {
  return status < 500 && (json !== undefined || text === "" || !/json/i.test(headers["content-type"] ?? ""));
}

/** Describes a failure of the server itself. Every server knows GET and POST, so 501 means that it misread a request line. */
export function describeBreakdown({ status, text }: HttpReply): string {
  const misreadHint =
    "; perhaps it read on in the body of a request that it had refused: RFC 9112, 9.3, reads that or closes";
  return `the server failed: HTTP ${status}: ${quote(text)}${status === 501 ? misreadHint : ""}`;
}
