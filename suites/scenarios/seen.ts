import type { Callback, HttpExchange, HttpReply } from "../../schemas/index.ts";
import type { Redactor } from "../http/redact.ts";
import { exchangeOf, type Request, unanswered } from "./exchange.ts";

/** How many exchanges are kept: the last ones. */
const kept = 6;

/** What goes between the suite and the target by HTTP, the last of it. */
export interface Seen {
  /** Told of a request; what it gives is told of the answer. */
  ask(request: Request, url: string): (reply: HttpReply) => void;
  /** What comes to a callback belongs to it. */
  watch(callback: Callback): void;
  /** Brings it up to what has come to callbacks. */
  update(): void;
  answered(): HttpExchange[];
  /** The same with the requests that are still to be answered. */
  all(): HttpExchange[];
}

export function seenOf(hide: Redactor, signature: string | undefined): Seen {
  // Few are ever shown, and secrets are long looked for.
  const exchanges: (() => HttpExchange)[] = [];
  const open = new Set<() => HttpExchange>();
  const callbacks: { callback: Callback; shown: number }[] = [];
  const shown = (all: readonly (() => HttpExchange)[]): HttpExchange[] => all.slice(-kept).map((each) => each());
  const update = (): void => {
    for (const each of callbacks) {
      const { url, arrivals } = each.callback;
      for (const arrival of arrivals.slice(each.shown)) exchanges.push(() => exchangeOf(arrival, url, hide, signature));
      each.shown = arrivals.length;
    }
    exchanges.splice(0, exchanges.length - kept);
  };
  return {
    ask(request, url) {
      const asked = (): HttpExchange => unanswered(request, url, hide);
      open.add(asked);
      return (reply) => {
        open.delete(asked);
        exchanges.push(() => reply.exchange);
        if (exchanges.length > kept) exchanges.shift();
      };
    },
    watch: (callback) => void callbacks.push({ callback, shown: 0 }),
    update,
    answered: () => shown(exchanges),
    all() {
      update();
      return shown([...exchanges, ...open]);
    },
  };
}
