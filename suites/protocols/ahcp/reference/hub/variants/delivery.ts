import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { timestamp } from "../time.ts";
import { within } from "./change.ts";
import { type HubVariant, inner, replies, without } from "./variant.ts";

/** Tries again after these statuses too. */
const also = (...statuses: number[]): HubVariant["policy"] => ({
  retries: (status) => right.retries(status) || statuses.includes(status ?? 0),
});

/** Hubs that break a rule on pushes. */
export const deliveryVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-DLV-001",
    name: "unescaped",
    says: "posts to a path in which nothing is escaped that need not be",
    policy: {
      target: (url) =>
        right.target(url).replace(/%([2-7][0-9a-f])/gi, (octet, code: string) => {
          const sign = String.fromCharCode(Number.parseInt(code, 16));
          return /[\w.~-]/.test(sign) ? sign : octet;
        }),
    },
  },
  {
    rule: "AHCP-DLV-001",
    says: "loses the query of the callback's URL",
    policy: { target: (url) => right.target(url).replace(/\?.*$/, "") },
  },
  {
    rule: "AHCP-DLV-001",
    name: "decoded",
    says: "undoes the percent-encoding of slashes in the callback's URL",
    policy: { target: (url) => right.target(url).replace(/%2f/gi, "/") },
  },
  {
    rule: "AHCP-DLV-001",
    name: "fragment",
    says: "sends the fragment of the URL with its path",
    policy: { target: (url) => `${right.target(url)}${/#.*$/.exec(url)?.[0] ?? ""}` },
  },
  {
    rule: "AHCP-DLV-001",
    name: "state",
    says: "pushes a state of null where there is none",
    policy: { pushed: (envelope) => ({ state: null, ...envelope }) },
  },
  { rule: "AHCP-DLV-005", name: "401", says: "tries again after HTTP 401 and 403", policy: also(401, 403) },
  { rule: "AHCP-DLV-005", name: "408", says: "tries again after HTTP 408", policy: also(408) },
  { rule: "AHCP-DLV-005", name: "409", says: "tries again after HTTP 409", policy: also(409) },
  { rule: "AHCP-DLV-005", name: "425", says: "tries again after HTTP 425", policy: also(425) },
  { rule: "AHCP-DLV-005", name: "429", says: "tries again after HTTP 429", policy: also(429) },
  {
    rule: "AHCP-DLV-005",
    says: "tries again after a refusal",
    policy: { retries: (status) => right.retries(status) || (status !== undefined && status >= 400) },
  },
  {
    rule: "AHCP-DLV-005",
    name: "restart",
    says: "pushes an outcome again after a restart, though the callback has refused it",
    policy: {
      records: (happening) =>
        happening.event === "attempted" && happening.push === "refused" ? { ...happening, push: "pending" } : happening,
    },
  },
  {
    rule: "AHCP-DLV-006",
    says: "never gives up",
    policy: { pause: (number) => right.pause(Math.min(number, 5)) },
  },
  {
    rule: "AHCP-DLV-007",
    name: "resolved-at",
    says: "tells the time of an attempt for that of the resolution",
    policy: {
      pushed: (envelope, { number }) =>
        number === 1
          ? envelope
          : { ...envelope, response: { ...inner(envelope, "response"), resolved_at: timestamp(Date.now()) } },
    },
  },
  {
    rule: "AHCP-DLV-007",
    name: "late",
    says: "does not name the agent from the fourth attempt on",
    policy: { pushed: (envelope, { number }) => (number < 4 ? envelope : without(envelope, "agent")) },
  },
  {
    rule: "AHCP-DLV-007",
    says: "changes the body from attempt to attempt",
    policy: {
      pushed: (envelope, { number }) =>
        number === 1 ? envelope : within((response) => ({ ...response, comment: `attempt ${number}` }))(envelope),
    },
  },
  {
    rule: "AHCP-DLV-008",
    says: "drops a Response that could not be delivered",
    policy: replies("read", (reply, { entry }) =>
      entry?.push === "exhausted" || entry?.push === "refused" ? fault("not_found", "there is no such message") : reply,
    ),
  },
  { rule: "AHCP-DLV-009", name: "200", says: "is thanked by HTTP 200 and 204 only", policy: also(201, 202) },
  {
    rule: "AHCP-DLV-009",
    says: "pushes on after it was thanked",
    policy: { retries: (status) => right.retries(status) || (status !== undefined && status < 300) },
  },
  {
    rule: "AHCP-DLV-011",
    says: "pushes without the token",
    policy: { headers: (headers) => without(headers, "authorization", "x-api-key") as Record<string, string> },
  },
  {
    rule: "AHCP-DLV-011",
    name: "again",
    says: "sends the token with the first attempt alone",
    policy: {
      headers: (headers, { attempt }) =>
        attempt.number === 1 ? headers : (without(headers, "authorization", "x-api-key") as Record<string, string>),
    },
  },
];
