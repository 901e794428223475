import type { LiveChoice } from "../../../../../../schemas/index.ts";
import type { ServeHandler } from "../../../../../packs/reference/serve.ts";
import type { HubPolicy, ReplySubject } from "../hub.ts";
import type { HubReply } from "../reply.ts";
import type { HubLimits } from "../settings.ts";

/** A decision in which correct hubs may differ. It can be combined with choices of other factors. */
export interface HubChoice extends LiveChoice {
  limits?: Partial<HubLimits>;
  /** The decisions that this choice changes. `base` already includes the earlier choices. */
  policy?(base: HubPolicy): Partial<HubPolicy>;
  /** Changes an answer, after the earlier choices. Returns the same object if it changes nothing. */
  changes?(reply: HubReply, subject: ReplySubject): HubReply;
  /** Wraps the handler that answers requests. */
  around?(handler: ServeHandler): ServeHandler;
  /** The hub closes idle connections after this many real milliseconds, without announcing it. */
  idleMs?: number;
}

/** The policy after all choices were applied in order. */
export function choosePolicy(base: HubPolicy, choices: readonly HubChoice[]): HubPolicy {
  let policy = base;
  for (const choice of choices) {
    const { reply } = policy;
    const { changes } = choice;
    const answers: Partial<HubPolicy> =
      changes === undefined
        ? {}
        : { reply: (originalReply, subject) => changes(reply(originalReply, subject), subject) };
    policy = Object.assign({}, policy, choice.policy?.(policy), answers);
  }
  return policy;
}

/** Replaces the answers of a handler, except to the operator's requests. */
export function serveAround(handler: ServeHandler, answer: (request: Request) => Promise<Response>): ServeHandler {
  const { close } = handler;
  const respond = (request: Request): Promise<Response> =>
    new URL(request.url).pathname.startsWith("/operator/") ? handler(request) : answer(request);
  return Object.assign(respond, close === undefined ? {} : { close: () => close.call(handler) });
}
