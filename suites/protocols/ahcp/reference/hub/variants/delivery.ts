import { setAt } from "../../../../../packs/reference/changes.ts";
import { pushTarget } from "../deliver.ts";
import type { HubAct, HubPolicy } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { correctHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import type { StoredMessage } from "../store.ts";
import { timestamp } from "../time.ts";
import { breaks, changeReplies, type HubVariant, memberObject, withoutMembers } from "./variant.ts";

/** Also tries again after these statuses. */
const retryAlso = (...statuses: number[]): HubVariant["policy"] => ({
  retriesAfter: (status) => correctHubPolicy.retriesAfter(status) || statuses.includes(status ?? 0),
});

/** Does not try again after these statuses. */
const neverRetry = (...statuses: number[]): HubVariant["policy"] => ({
  retriesAfter: (status) => correctHubPolicy.retriesAfter(status) && !statuses.includes(status ?? 0),
});

const giveUpOn = (code: string): HubVariant["policy"] => ({
  retriesAfter: (status, failure) => correctHubPolicy.retriesAfter(status) && failure !== code,
});

/** Sweeps late, and does not push the expiry if this action notices it first. */
function expireSilently(act: HubAct): Partial<HubPolicy> {
  const silentExpiries = new WeakSet<StoredMessage>();
  let lastAct: HubAct = "sweep";
  return {
    sweepDelay: 1000,
    grace(hubAct) {
      lastAct = hubAct;
      return 0;
    },
    envelope(envelope, entry) {
      if (envelope.resolution === "expired" && lastAct === act) silentExpiries.add(entry);
      return envelope;
    },
    callbackOf: (entry) => (silentExpiries.has(entry) ? undefined : pushTarget(entry)),
  };
}

/** Hubs that break a rule on pushes and their repetition. */
export const deliveryVariants: readonly HubVariant[] = [
  ...breaks("AHCP-DLV-001", {
    unescaped: [
      "decodes unnecessary escapes in the path of the callback's URL",
      {
        pushPath: (url) =>
          correctHubPolicy.pushPath(url).replace(/%([2-7][0-9a-f])/gi, (octet, code: string) => {
            const character = String.fromCharCode(Number.parseInt(code, 16));
            return /[\w.~-]/.test(character) ? character : octet;
          }),
      },
    ],
    "": [
      "loses the query of the callback's URL",
      { pushPath: (url) => correctHubPolicy.pushPath(url).replace(/\?.*$/, "") },
    ],
    decoded: [
      "decodes the percent-encoded slashes in the callback's URL",
      { pushPath: (url) => correctHubPolicy.pushPath(url).replace(/%2f/gi, "/") },
    ],
    fragment: [
      "sends the fragment of the URL with its path",
      { pushPath: (url) => `${correctHubPolicy.pushPath(url)}${/#.*$/.exec(url)?.[0] ?? ""}` },
    ],
    state: ["pushes a state of null if there is none", { pushBody: (envelope) => ({ state: null, ...envelope }) }],
  }),
  ...breaks("AHCP-DLV-002", {
    "": [
      "does not push an expired message",
      { callbackOf: (entry) => (entry.status === "expired" ? undefined : pushTarget(entry)) },
    ],
    refused: [
      "stops pushing to a URL that has refused an outcome",
      {
        callbackOf(entry, hub) {
          const url = (storedMessage: StoredMessage) => memberObject(blockOf(storedMessage.message), "callback").url;
          const refusingMessages = [...hub.store.entries.values()].filter(
            (storedMessage) => storedMessage.push === "refused" && storedMessage !== entry,
          );
          return refusingMessages.some((storedMessage) => url(storedMessage) === url(entry))
            ? undefined
            : correctHubPolicy.callbackOf(entry, hub);
        },
      },
    ],
    default: [
      "does not push a default that was applied",
      {
        callbackOf: (entry) => (entry.envelope?.defaulted === true ? undefined : pushTarget(entry)),
      },
    ],
    input: [
      "does not push the answer to a form",
      {
        callbackOf: (entry) =>
          memberObject(entry.message, "request").mode === "input" ? undefined : pushTarget(entry),
      },
    ],
    read: ["does not push an expiry that a read notices", expireSilently("read"), { withHooks: ["clock"] }],
    cancel: ["does not push an expiry that a cancellation notices", expireSilently("cancel"), { withHooks: ["clock"] }],
    resolve: [
      "does not push an expiry that a late answer notices",
      expireSilently("resolve"),
      {
        // In real time, the hub's own timers notice the expiry first.
        withHooks: ["clock"],
      },
    ],
    shared: [
      "drops a push while another one to the same URL is pending",
      {
        callbackOf(entry, { store }) {
          const target = pushTarget(entry);
          const isBusy = ({ id, push, envelope, message }: StoredMessage): boolean =>
            id !== entry.id &&
            push === "pending" &&
            envelope !== undefined &&
            pushTarget({ ...entry, message })?.url === target?.url;
          return [...store.entries.values()].some(isBusy) ? undefined : target;
        },
      },
    ],
    "expiry-no-sweep": [
      "notices a passed deadline only when the message is read",
      { grace: (act) => (act === "sweep" ? Number.MAX_SAFE_INTEGER / 2 : 0) },
    ],
  }),
  ...breaks("AHCP-DLV-003", {
    "501": ["gives up after HTTP 501 and 505", neverRetry(501, 505)],
    "504": ["gives up after HTTP 504", neverRetry(504)],
    gateways: [
      "tries again only after HTTP 502, 503 and 504",
      { retriesAfter: (status) => status === undefined || [502, 503, 504].includes(status) },
    ],
    timeout: ["gives up after a timeout", giveUpOn("ABORT_ERR")],
    "": ["gives up when a connection breaks", { retriesAfter: (status) => status !== undefined && status >= 500 }],
  }),
  ...breaks("AHCP-DLV-004", {
    four: [
      "gives up after four attempts",
      { pauseAfter: (number) => (number < 4 ? correctHubPolicy.pauseAfter(number) : undefined) },
    ],
    constant: ["tries every five minutes", { pauseAfter: (number) => (number < 6 ? 300_000 : undefined) }],
    "no-pauses": ["makes all its attempts without a pause", { pauseAfter: (number) => (number < 6 ? 0 : undefined) }],
    hasty: [
      "makes its last attempts almost without a pause",
      { pauseAfter: (number) => (number < 4 ? 60_000 * 2 ** number : number < 6 ? 100 : undefined) },
    ],
    "": [
      "gives up after three attempts",
      { pauseAfter: (number) => (number < 3 ? correctHubPolicy.pauseAfter(number) : undefined) },
    ],
  }),
  ...breaks("AHCP-DLV-005", {
    "401": ["tries again after HTTP 401 and 403", retryAlso(401, 403)],
    "408": ["tries again after HTTP 408", retryAlso(408)],
    "409": ["tries again after HTTP 409", retryAlso(409)],
    "425": ["tries again after HTTP 425", retryAlso(425)],
    "429": ["tries again after HTTP 429", retryAlso(429)],
    "": [
      "tries again after a refusal",
      { retriesAfter: (status) => correctHubPolicy.retriesAfter(status) || (status !== undefined && status >= 400) },
    ],
    restart: [
      "pushes an outcome again after a restart, although the callback has refused it",
      {
        recordedEvent: (happening) =>
          happening.event === "attempted" && happening.push === "refused"
            ? { ...happening, push: "pending" }
            : happening,
      },
    ],
  }),
  ...breaks("AHCP-DLV-006", {
    "": ["never gives up", { pauseAfter: (number) => correctHubPolicy.pauseAfter(Math.min(number, 5)) }],
  }),
  ...breaks("AHCP-DLV-007", {
    "resolved-at": [
      "reports the time of an attempt as the time of the resolution",
      {
        pushBody: (envelope, { number }) =>
          number === 1
            ? envelope
            : { ...envelope, response: { ...memberObject(envelope, "response"), resolved_at: timestamp(Date.now()) } },
      },
    ],
    late: [
      "omits the agent from the fourth attempt on",
      { pushBody: (envelope, { number }) => (number < 4 ? envelope : withoutMembers(envelope, "agent")) },
    ],
    "": [
      "changes the body at each attempt",
      {
        pushBody: (envelope, { number }) =>
          number === 1 ? envelope : setAt("/response/comment", `attempt ${number}`)(envelope),
      },
    ],
  }),
  ...breaks("AHCP-DLV-008", {
    "": [
      "drops a Response that could not be delivered",
      changeReplies("read", (reply, { entry }) =>
        entry?.push === "exhausted" || entry?.push === "refused"
          ? fault("not_found", "there is no such message")
          : reply,
      ),
    ],
  }),
  ...breaks("AHCP-DLV-009", {
    "200": ["accepts only HTTP 200 and 204 as success", retryAlso(201, 202)],
    "": [
      "pushes again after a success",
      { retriesAfter: (status) => correctHubPolicy.retriesAfter(status) || (status !== undefined && status < 300) },
    ],
  }),
  ...breaks("AHCP-DLV-011", {
    "": [
      "pushes without the token",
      { headers: (headers) => withoutMembers(headers, "authorization", "x-api-key") as Record<string, string> },
    ],
    again: [
      "sends the token only with the first attempt",
      {
        headers: (headers, { attempt }) =>
          attempt.number === 1
            ? headers
            : (withoutMembers(headers, "authorization", "x-api-key") as Record<string, string>),
      },
    ],
  }),
];
