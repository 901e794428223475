import type { Arrival, Callback, Evidence, HttpExchange, HttpReply } from "../../../schemas/index.ts";
import type { Redactor } from "../../base/http/redact.ts";
import { exchangeOf, type SentRequest, unansweredExchange } from "./exchange.ts";

/** The number of exchanges that are kept. */
const maxKept = 6;

/** The last HTTP messages between the suite and the target. */
export interface RecentExchanges {
  /** To be called for each request. The returned function is to be called with the answer. */
  ask(request: SentRequest, url: string): (reply: HttpReply) => void;
  /** Also records the requests to a callback from now on. */
  watch(callback: Callback): void;
  /** Adds the latest requests to callbacks. */
  update(): void;
  /** Returns the exchanges. Those in the evidence, or else the last one, are marked as decisive. A text in the evidence can name an unanswered request. */
  answered(evidence: readonly Evidence[]): HttpExchange[];
  /** Returns the exchanges, including requests without an answer so far. */
  all(): HttpExchange[];
}

/** An exchange, and the parts that an expectation may name. */
interface SeenExchange {
  of?: HttpReply | Arrival;
  shown(): HttpExchange;
}

/** Returns the unanswered requests with a URL that contains a text of the evidence. */
function requestsNamedIn(evidence: readonly Evidence[], requests: Iterable<SeenExchange>): SeenExchange[] {
  const texts = evidence.flatMap((each) => ("texts" in each ? each.texts : []));
  return [...requests].filter(({ shown }) => texts.some((text) => shown().request.url.includes(text)));
}

/** Omits the earliest exchanges that are not decisive if there are more than `maxKept`. */
function withoutSurplus(exchanges: readonly SeenExchange[], decisive: ReadonlySet<SeenExchange>): SeenExchange[] {
  const indecisive = exchanges.filter((exchange) => !decisive.has(exchange));
  const omitted = new Set(indecisive.slice(0, Math.max(0, exchanges.length - maxKept)));
  return exchanges.filter((exchange) => !omitted.has(exchange));
}

export function seenOf(hide: Redactor, signature: string | undefined): RecentExchanges {
  // Secrets are hidden on demand, because that is slow and few exchanges are ever shown.
  const exchanges: SeenExchange[] = [];
  const openRequests = new Set<SeenExchange>();
  const callbacks: { callback: Callback; shown: number }[] = [];
  const arrivedExchange = (arrival: Arrival, { url }: Callback): SeenExchange => ({
    of: arrival,
    shown: () => exchangeOf(arrival, url, hide, signature),
  });
  /** Finds an exchange that is too old to be kept. It will be shown before the others. */
  const earlierExchange = (of: HttpReply | Arrival): SeenExchange | undefined => {
    if ("exchange" in of) return { of, shown: () => of.exchange };
    const receiving = callbacks.find(({ callback }) => callback.arrivals.includes(of));
    return receiving === undefined ? undefined : arrivedExchange(of, receiving.callback);
  };
  const update = (): void => {
    for (const callback of callbacks) {
      const { arrivals } = callback.callback;
      for (const arrival of arrivals.slice(callback.shown)) exchanges.push(arrivedExchange(arrival, callback.callback));
      callback.shown = arrivals.length;
    }
    exchanges.splice(0, exchanges.length - maxKept);
  };
  return {
    ask(request, url) {
      const openRequest = { shown: () => unansweredExchange(request, url, hide) };
      openRequests.add(openRequest);
      return (reply) => {
        openRequests.delete(openRequest);
        exchanges.push({ of: reply, shown: () => reply.exchange });
        if (exchanges.length > maxKept) exchanges.shift();
      };
    },
    watch: (callback) => void callbacks.push({ callback, shown: 0 }),
    update,
    answered(evidence) {
      const namedRequests = requestsNamedIn(evidence, openRequests);
      const isElsewhere = namedRequests.length > 0 || evidence.some((item) => "returned" in item);
      const namedEvidence = evidence.flatMap((item) => ("texts" in item || "returned" in item ? [] : [item]));
      const lastMessage = exchanges.at(-1)?.of;
      const exchangesFound = (
        namedEvidence.length > 0 || isElsewhere || lastMessage === undefined ? namedEvidence : [lastMessage]
      )
        .map((of) => exchanges.find((exchange) => exchange.of === of) ?? earlierExchange(of))
        .filter((each) => each !== undefined);
      const decisiveItems = new Set([...exchangesFound, ...namedRequests]);
      const earlier = exchangesFound.filter((exchange) => !exchanges.includes(exchange));
      const all = [...earlier, ...exchanges, ...namedRequests];
      return withoutSurplus(all, decisiveItems).map((item) => ({
        ...item.shown(),
        ...(decisiveItems.has(item) ? { decisive: true as const } : {}),
      }));
    },
    all() {
      update();
      return [...exchanges, ...openRequests].slice(-maxKept).map((exchange) => exchange.shown());
    },
  };
}
