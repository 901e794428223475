import type { Arrival, HttpExchange, HttpReply, Json, Setting } from "../../schemas/index.ts";
import { anonymous } from "../http/identity.ts";
import type { Redactor } from "../http/redact.ts";

/** Characters of a body that an exchange keeps. */
const shownBody = 4096;

/** What came to a callback, as an exchange without an answer. Of what is secret a signature gives nothing away. */
export function exchangeOf(
  { method, target, headers, body }: Arrival,
  url: string,
  hide: Redactor,
  signed: string | undefined,
): HttpExchange {
  const signature = signed === undefined ? undefined : headers[signed];
  const shown = { ...hide.headers(headers), ...(signature === undefined ? {} : { [signed as string]: signature }) };
  return {
    request: {
      method,
      url: `${new URL(url).origin}${target}`,
      headers: shown,
      body: cut(hide.text(body.toString("utf8"))),
    },
  };
}

export function secretsOf({
  headers = {},
  credentials = {},
  callbackAuth: { hmac, bearer, apikey: key } = {},
}: Setting): Record<string, string> {
  const given = Object.entries(credentials).map(([who, { token, apikey }]) => [`credential ${who}`, token ?? apikey]);
  given.push(
    ["hmac", hmac?.secret],
    ["second hmac", hmac?.second?.secret],
    ["bearer", bearer?.token],
    ["apikey", key?.token],
  );
  given.push(...Object.entries(headers).filter(([name]) => !Object.hasOwn(anonymous({ [name]: "" }), name)));
  return Object.fromEntries(given.filter(([, secret]) => secret !== undefined));
}

export function replyOf(
  request: { method: string; path: string; headers: Record<string, string>; body: string },
  answer: { status: number; headers: Record<string, string | string[] | undefined>; body: string },
  url: string,
  hide: Redactor,
): HttpReply {
  const headers = hide.headers(answer.headers);
  return {
    status: answer.status,
    headers,
    text: answer.body,
    json: parsed(answer.body),
    exchange: {
      request: {
        method: request.method,
        url: `${new URL(url).origin}${request.path}`,
        headers: hide.headers(request.headers),
        body: cut(hide.text(request.body)),
      },
      response: { status: answer.status, headers, body: cut(hide.text(answer.body)) },
    },
    at: performance.now(),
  };
}

function cut(text: string): string {
  return text.length > shownBody ? `${text.slice(0, shownBody)}…` : text;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
