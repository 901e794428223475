import { type Protocol, type RefusedWhen, type Target, TargetFailure, unavailableOf } from "../../schemas/index.ts";
import { parseAddress, probe } from "../base/http/address.ts";
import { createRedactor } from "../base/http/redact.ts";
import { createHider, secretsIn } from "../base/secrets/index.ts";
import { skipNeverAsked } from "../base/text/skips.ts";
import { defaultConcurrency } from "./at-once.ts";
import { givenNames } from "./http/cookies.ts";
import { outgoingMessage } from "./http/outgoing-message.ts";
import { skipUnwritable } from "./http/parameters.ts";
import { conditionOf } from "./http/refused-when.ts";
import {
  checkEndpoints,
  type Endpoints,
  expandEndpoints,
  misplacedText,
  noRoute,
  skipUnreachable,
} from "./http/route.ts";
import { HttpSession } from "./http/session.ts";

export interface HttpOptions {
  url: string;
  /** Sent with every request and never shown. */
  headers?: Readonly<Record<string, string>>;
  endpoints?: Endpoints;
  /** The agent that the credentials belong to, which is the sender of messages. */
  agent?: string;
  /** The name of the server as the recipient of messages. */
  identity?: string;
  /** The current time in milliseconds since the epoch. */
  now?: () => number;
  /** The server's own time in milliseconds since the epoch, if a request can read it. */
  clock?: () => Promise<number>;
  /** Names of headers and parameters whose value identifies one request, and is fresh for each different request. */
  keys?: readonly string[];
  /** Conditions of answers that count as refusals, in addition to the protocol's own. */
  refusedWhen?: readonly RefusedWhen[];
}

/** Creates a target for a live server. Only its address is contacted: proxies are not used, and redirects are not followed. */
export function httpTarget(options: HttpOptions): Target {
  const { url, headers = {}, endpoints: givenEndpoints = {}, agent, identity, now = Date.now, clock } = options;
  const { keys = [], refusedWhen = [] } = options;
  const address = parseAddress(url);
  const ownHeaders = { ...address.headers, ...headers };
  const secrets = secretsIn({ url, headers: ownHeaders });
  const hider = createHider(secrets);
  const redactor = createRedactor(ownHeaders, hider);
  let protocol: Protocol | undefined;
  let session: HttpSession | undefined;
  return {
    kind: "http",
    name: address.shown,
    secrets,
    claims: undefined,
    concurrency: defaultConcurrency.http,
    isHeld: () => session?.isHeld() === true,
    get perMinute() {
      return session?.perMinute;
    },
    async open(openedProtocol) {
      protocol = openedProtocol;
      const endpoints = expandEndpoints(givenEndpoints, openedProtocol);
      checkEndpoints(endpoints, openedProtocol, address);
      await probe(address);
      session = await HttpSession.open(openedProtocol, {
        address,
        ownHeaders,
        endpoints,
        agent,
        identity,
        now,
        clock,
        hider,
        redactor,
        keys,
        refusedWhen: refusedWhen.map(conditionOf),
      });
    },
    offers: (rule) => session?.offers(rule),
    skips(question) {
      const { document } = question;
      const routing = session?.routeFor(document) ?? noRoute;
      if (routing.route === undefined || session === undefined) return skipUnreachable(document, protocol);
      return (
        skipOn(session, routing, question, { own: ownHeaders, search: address.search, now }) ?? session.needs(question)
      );
    },
    check: (question, signal) =>
      session?.check(question, signal) ?? unavailableOf(new TargetFailure("errored", "send", "the target is not open")),
    untested: () => session?.untested() ?? [],
    async close() {
      const openSession = session;
      session = undefined;
      await openSession?.close();
    },
  };
}

/** The options that determine requests. */
interface RequestOptions {
  own: Readonly<Record<string, string>>;
  search: string;
  now: () => number;
}

/** Returns a skip if a question cannot be sent to an open server; undefined if it can. */
function skipOn(
  session: HttpSession,
  routing: ReturnType<HttpSession["routeFor"]>,
  question: Parameters<Target["skips"]>[0],
  { own: ownHeaders, search, now }: RequestOptions,
): ReturnType<Target["skips"]> {
  const { route, isWrapped } = routing;
  if (route === undefined) return undefined;
  const misplacedReason = misplacedText(route, question, isWrapped);
  if (misplacedReason !== undefined) return skipNeverAsked(misplacedReason, "text");
  const { data, keep } = question;
  const why =
    route.carries === undefined || data === undefined
      ? undefined
      : skipUnwritable(route, data, givenNames(ownHeaders, search), keep);
  return (
    why ??
    session.findSkip(question, routing) ??
    session.requests.postTo(route)?.skips(outgoingMessage(question, isWrapped, now()))
  );
}
