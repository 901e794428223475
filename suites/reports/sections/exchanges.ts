import type { HttpExchange, Result } from "../../../schemas/index.ts";
import { truncate } from "../../base/text/escape.ts";

/** The maximum length of a body or an address: first if only some exchanges are shown, then if all are shown. */
const [fewCharacters, manyCharacters] = [200, 1000];

/** Formats the last `limit` exchanges up to the decisive one, or twice as many messages if a trace was recorded. By default, all are shown. */
export function exchangeFacts(
  { kind, exchanges = [], trace = [] }: Result,
  limit: number = Number.POSITIVE_INFINITY,
): [name: string, text: string][] {
  if (kind === "vector") return [];
  const maxLength = Number.isFinite(limit) ? fewCharacters : manyCharacters;
  if (trace.length === 0) {
    const shownExchanges = lastMessages(exchanges, limit);
    return [
      ...shownExchanges.flatMap((httpExchange) => formatExchange(httpExchange, maxLength)),
      ...formatRest("exchanges", exchanges.length - shownExchanges.length),
    ];
  }
  const shownMessages = lastMessages(trace, 2 * limit);
  return [
    ...shownMessages.map(({ from, to, text }): [string, string] => [
      "message",
      `${from} to ${to}: ${truncate(text.replace("\n", " "), maxLength)}`,
    ]),
    ...formatRest("messages", trace.length - shownMessages.length),
  ];
}

function formatRest(noun: string, count: number): [name: string, text: string][] {
  return count === 0 ? [] : [["more", `${count} ${count === 1 ? noun.slice(0, -1) : noun}; --verbose shows all`]];
}

/** Returns the last messages up to the decisive one. If several are decisive, returns only these. */
function lastMessages<T extends { decisive?: true }>(messages: readonly T[], limit: number): readonly T[] {
  if (!Number.isFinite(limit)) return messages;
  const decisiveMessages = messages.filter((message) => message.decisive === true);
  if (decisiveMessages.length > 1) return decisiveMessages.slice(-limit);
  const end = messages.indexOf(decisiveMessages[0] as T) + 1 || messages.length;
  return messages.slice(Math.max(0, end - limit), end);
}

function formatExchange({ request, response, as }: HttpExchange, maxLength: number): [name: string, text: string][] {
  const withBody = (head: string, body: string): string =>
    body === "" ? head : `${head} ${truncate(body, maxLength)}`;
  const name = as === undefined ? "" : ` (as ${as})`;
  const sentText = withBody(`${request.method} ${truncate(request.url, maxLength)}${name}`, request.body);
  if (response === undefined) return [["request", sentText]];
  return [
    ["request", sentText],
    ["answer", withBody(`HTTP ${response.status}`, response.body)],
  ];
}
