import { isLoopback, isPrivateAddress } from "../addresses.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { type HubVariant, inner } from "./variant.ts";

/** Pushes also where pull was asked for, once a message ended so. */
function pushing(ending: string): HubVariant["policy"] {
  return {
    callbackOf(entry, hub) {
      const callback = inner(blockOf(entry.message), "callback");
      const isOne = entry.status === ending && typeof callback.url === "string";
      return isOne ? callback : right.callbackOf(entry, hub);
    },
  };
}

/** Nobody is there: RFC 5737 keeps it for documents. */
const nowhere = "203.0.113.7";

/** Hubs that break a rule on addresses of callbacks. */
export const callbackVariants: readonly HubVariant[] = [
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
  { rule: "AHCP-CBK-007", name: "cancelled", says: "pushes every cancellation", policy: pushing("cancelled") },
  { rule: "AHCP-CBK-007", name: "expired", says: "pushes every expiry", policy: pushing("expired") },
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
  {
    rule: "AHCP-SSR-003",
    name: "rebinding",
    says: "judges the address of one lookup, and connects to that of another",
    policy: {
      isPrivate: (address) => address !== nowhere && isPrivateAddress(address),
      looksUpAgain: true,
    },
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
    rule: "AHCP-SSR-006",
    says: "relaxes the checks of callbacks in production, too, when it is asked to",
    policy: { relaxes: true },
  },
];
