import type { HttpExchange, Result } from "../../../schemas/index.ts";
import { truncate } from "../../base/text/escape.ts";

/** The maximum number of characters of a body or an address if some exchanges are shown, and if all are shown. */
const [fewCharacters, manyCharacters] = [200, 1000];

/** The exchanges between the parties up to the deciding one: this many, or twice as many messages if there were more by other channels. Without a number, all that are known. */
export function exchangeFacts(
  { kind, exchanges = [], trace = [] }: Result,
  most: number = Number.POSITIVE_INFINITY,
): [name: string, text: string][] {
  if (kind === "vector") return [];
  const limit = Number.isFinite(most) ? fewCharacters : manyCharacters;
  if (trace.length === 0) {
    const shownExchanges = lastOf(exchanges, most);
    return [
      ...shownExchanges.flatMap((httpExchange) => linesOf(httpExchange, limit)),
      ...restLine("exchanges", exchanges.length - shownExchanges.length),
    ];
  }
  const shownMessages = lastOf(trace, 2 * most);
  return [
    ...shownMessages.map(({ from, to, text }): [string, string] => [
      "message",
      `${from} to ${to}: ${truncate(text.replace("\n", " "), limit)}`,
    ]),
    ...restLine("messages", trace.length - shownMessages.length),
  ];
}

function restLine(noun: string, count: number): [name: string, text: string][] {
  return count === 0 ? [] : [["more", `${count} ${count === 1 ? noun.slice(0, -1) : noun}; --verbose shows all`]];
}

/** If several exchanges are decisive, only these are shown. */
function lastOf<T extends { decisive?: true }>(all: readonly T[], most: number): readonly T[] {
  if (!Number.isFinite(most)) return all;
  const decisive = all.filter((each) => each.decisive === true);
  if (decisive.length > 1) return decisive.slice(-most);
  const end = all.indexOf(decisive[0] as T) + 1 || all.length;
  return all.slice(Math.max(0, end - most), end);
}

function linesOf({ request, response, as }: HttpExchange, limit: number): [name: string, text: string][] {
  const withBody = (head: string, body: string): string => (body === "" ? head : `${head} ${truncate(body, limit)}`);
  const name = as === undefined ? "" : ` (as ${as})`;
  const sentText = withBody(`${request.method} ${truncate(request.url, limit)}${name}`, request.body);
  if (response === undefined) return [["request", sentText]];
  return [
    ["request", sentText],
    ["answer", withBody(`HTTP ${response.status}`, response.body)],
  ];
}
