import type { LiveChoice } from "../../../../../../schemas/index.ts";
import type { ServeHandler } from "../../../../../packs/reference/serve.ts";
import type { HubPolicy, ReplySubject } from "../hub.ts";
import type { HubReply } from "../reply.ts";
import type { HubLimits } from "../settings.ts";

/** A decision that another correct hub may make differently, alone or together with choices of other factors. */
export interface HubChoice extends LiveChoice {
  limits?: Partial<HubLimits>;
  /** Its own decisions. `base` makes all others, and includes the earlier choices. */
  policy?(base: HubPolicy): Partial<HubPolicy>;
  /** Changes an answer, after all earlier decisions; returns the same object for an unchanged answer. */
  changes?(reply: HubReply, subject: ReplySubject): HubReply;
  /** Wraps the handler that answers requests. */
  around?(handler: ServeHandler): ServeHandler;
  /** The real milliseconds after which the hub closes an idle connection without announcing it. */
  idleMs?: number;
}

/** A policy with the decisions of some choices, applied in order. */
export function choosePolicy(base: HubPolicy, choices: readonly HubChoice[]): HubPolicy {
  let policy = base;
  for (const choice of choices) {
    const { reply } = policy;
    const { changes } = choice;
    const answers: Partial<HubPolicy> =
      changes === undefined ? {} : { reply: (given, subject) => changes(reply(given, subject), subject) };
    policy = Object.assign({}, policy, choice.policy?.(policy), answers);
  }
  return policy;
}

/** Wraps a handler, except for the requests of the operator. */
export function serveAround(handler: ServeHandler, answer: (request: Request) => Promise<Response>): ServeHandler {
  const { close } = handler;
  const respond = (request: Request): Promise<Response> =>
    new URL(request.url).pathname.startsWith("/operator/") ? handler(request) : answer(request);
  return Object.assign(respond, close === undefined ? {} : { close: () => close.call(handler) });
}
