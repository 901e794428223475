import type { LiveChoice } from "../../../../../../schemas/index.ts";
import type { ServeHandler } from "../../../../../packs/reference/serve.ts";
import type { HubPolicy } from "../hub.ts";
import type { HubLimits } from "../settings.ts";

/** Something that a right hub may do otherwise than this one does by itself, alone or together with others of other factors. */
export interface HubChoice extends LiveChoice {
  limits?: Partial<HubLimits>;
  /** Its own decisions; `before` makes the other decisions, with the earlier choices. */
  policy?(before: HubPolicy): Partial<HubPolicy>;
  /** How its answers come. */
  around?(handler: ServeHandler): ServeHandler;
  /** Real milliseconds after which it closes an idle connection, without having said so. */
  idleMs?: number;
}

/** A policy with the decisions of some choices, one after the other. */
export function choosePolicy(base: HubPolicy, choices: readonly HubChoice[]): HubPolicy {
  let policy = base;
  for (const choice of choices) policy = Object.assign({}, policy, choice.policy?.(policy));
  return policy;
}

/** A handler around another one, for all requests but those of the operator. */
export function serveAround(handler: ServeHandler, around: (request: Request) => Promise<Response>): ServeHandler {
  const { close } = handler;
  const own = (request: Request): Promise<Response> =>
    new URL(request.url).pathname.startsWith("/operator/") ? handler(request) : around(request);
  return Object.assign(own, close === undefined ? {} : { close: () => close.call(handler) });
}
