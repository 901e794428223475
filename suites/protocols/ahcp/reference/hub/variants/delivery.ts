import { isObject } from "../../../../../../schemas/index.ts";
import { isLoopback, isPrivateAddress } from "../addresses.ts";
import { pushTarget } from "../deliver.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { type HubVariant, inner, replies, without } from "./variant.ts";

/** Whether, how often and where to a hub pushes. */
export const deliveryVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-CBK-007",
    says: "pushes to any URL, also where pull was asked for",
    policy: {
      callbackOf(entry) {
        const { message } = entry;
        const callback = inner(inner(message, message.type === "task" ? "action" : "request"), "callback");
        return typeof callback.url === "string" ? callback : undefined;
      },
    },
  },
  {
    rule: "AHCP-AUT-006",
    says: "finds the callback by the idempotency key alone",
    policy: {
      callbackOf(entry, { store }) {
        const key = entry.message.idempotency_key;
        const last = [...store.entries.values()].findLast(({ message }) => message.idempotency_key === key);
        return pushTarget(entry) === undefined ? undefined : pushTarget(last ?? entry);
      },
    },
  },
  {
    rule: "AHCP-DLV-001",
    says: "loses the query of the callback's URL",
    policy: { target: (url) => right.target(url).replace(/\?.*$/, "") },
  },
  {
    rule: "AHCP-DLV-002",
    says: "does not push what has expired",
    policy: { callbackOf: (entry) => (entry.status === "expired" ? undefined : pushTarget(entry)) },
  },
  {
    rule: "AHCP-DLV-003",
    says: "gives up when a connection breaks",
    policy: { retries: (status) => status !== undefined && status >= 500 },
  },
  {
    rule: "AHCP-DLV-004",
    says: "gives up after three attempts",
    policy: { pause: (number) => (number < 3 ? right.pause(number) : undefined) },
  },
  {
    rule: "AHCP-DLV-005",
    says: "tries again after a refusal",
    policy: { retries: (status) => right.retries(status) || (status !== undefined && status >= 400) },
  },
  {
    rule: "AHCP-DLV-006",
    says: "never gives up",
    policy: { pause: (number) => right.pause(Math.min(number, 5)) },
  },
  {
    rule: "AHCP-DLV-008",
    says: "drops a Response that could not be delivered",
    policy: replies("read", (reply, { entry }) =>
      entry?.push === "exhausted" || entry?.push === "refused" ? fault("not_found", "there is no such message") : reply,
    ),
  },
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
    rule: "AHCP-SSR-001",
    says: "takes every host for the agent's",
    policy: {
      needsBinding: false,
      isBound: (host, agent, hub) => hub.settings.profile === "production" || right.isBound(host, agent, hub),
      isPrivate: (address, when) => isPrivateAddress(address) && (when === "submit" || !isLoopback(address)),
    },
  },
  { rule: "AHCP-SSR-002", says: "pushes into private networks", policy: { isPrivate: () => false } },
  {
    rule: "AHCP-SSR-002",
    name: "some",
    says: "knows no private addresses but its own and those that begin with 10",
    policy: { isPrivate: (address) => /^(?:0|10|127)\.|^::(?!ffff:a)/.test(address) },
  },
  {
    rule: "AHCP-SSR-002",
    name: "task",
    says: "looks at the callbacks of asks alone",
    policy: { guards: ({ type }) => type === "ask" },
  },
  {
    rule: "AHCP-SSR-003",
    says: "looks at the address when a message comes in, and not when it pushes",
    policy: { isPrivate: (address, when) => when === "submit" && isPrivateAddress(address) },
  },
  { rule: "AHCP-SSR-004", says: "follows redirects", policy: { follows: true } },
  {
    rule: "AHCP-SSR-005",
    says: "takes a host for the agent's that ends like one",
    policy: {
      isBound: (host, agent, { store }) =>
        [...store.bound].some(([name, agents]) => host.endsWith(name) && agents.has(agent)),
    },
  },
  {
    rule: "AHCP-SSR-005",
    name: "beginning",
    says: "takes a host for the agent's that begins like one",
    policy: {
      isBound: (host, agent, { store }) =>
        [...store.bound].some(([name, agents]) => host.startsWith(name) && agents.has(agent)),
    },
  },
  {
    rule: "AHCP-SSR-005",
    name: "anywhere",
    says: "sends tokens to any host while it is set up for development",
    policy: {
      isBound: (host, agent, hub) => hub.settings.profile !== "production" || right.isBound(host, agent, hub),
    },
  },
  {
    rule: "AHCP-SSR-005",
    name: "any-agent",
    says: "takes a host for the agent's that is another agent's",
    policy: { isBound: (host, _agent, { store }) => store.bound.has(host) },
  },
  {
    rule: "AHCP-PRT-007",
    says: "fetches the files of a message that is looked at",
    policy: {
      viewing({ context }) {
        for (const part of Array.isArray(context) ? context : [])
          if (isObject(part)) fetchHere(String(inner(part, "file").uri));
      },
    },
  },
  {
    rule: "AHCP-SAF-002",
    says: "fetches what the body of a message links to",
    policy: {
      viewing({ body }) {
        for (const [url] of String(body).matchAll(/https?:\/\/[^\s)"'>]+/g)) fetchHere(url);
      },
    },
  },
];

/** Even this hub stays on the machine. */
function fetchHere(url: string): void {
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) fetch(url).catch(() => {});
}
