import type { HttpExchange, Result } from "../../schemas/index.ts";
import { cut } from "../text/escape.ts";

/** Characters of a body or an address, where some or all exchanges are shown. */
const [few, many] = [200, 1000];

/**
 * What went between the parties before a scenario found something, to the one that shows it: so many exchanges, or twice as many messages where more
 * went than these. Without a number all that is known.
 */
export function exchangeFacts(
  { kind, exchanges = [], trace = [] }: Result,
  most: number = Number.POSITIVE_INFINITY,
): [name: string, text: string][] {
  if (kind === "vector") return [];
  const limit = Number.isFinite(most) ? few : many;
  if (trace.length === 0) return lastOf(exchanges, most).flatMap((each) => linesOf(each, limit));
  return lastOf(trace, 2 * most).map(({ from, to, text }) => [
    "message",
    `${from} to ${to}: ${cut(text.replace("\n", " "), limit)}`,
  ]);
}

function lastOf<T extends { decisive?: true }>(all: readonly T[], most: number): readonly T[] {
  if (!Number.isFinite(most)) return all;
  const end = all.findIndex(({ decisive }) => decisive === true) + 1 || all.length;
  return all.slice(Math.max(0, end - most), end);
}

function linesOf({ request, response, as }: HttpExchange, limit: number): [name: string, text: string][] {
  const withBody = (head: string, body: string): string => (body === "" ? head : `${head} ${cut(body, limit)}`);
  const name = as === undefined ? "" : ` (as ${as})`;
  const sent = withBody(`${request.method} ${cut(request.url, limit)}${name}`, request.body);
  if (response === undefined) return [["request", sent]];
  return [
    ["request", sent],
    ["answer", withBody(`HTTP ${response.status}`, response.body)],
  ];
}
