import { isLoopback, isPrivateAddress } from "../addresses.ts";
import { blockOf } from "../lifecycle.ts";
import { correctHubPolicy } from "../policy.ts";
import { breaks, type HubVariant, memberObject } from "./variant.ts";

/** A policy that pushes messages with this outcome even if the agent asked for pull. */
function pushOn(outcome: string): HubVariant["policy"] {
  return {
    callbackOf(entry, hub) {
      const callback = memberObject(blockOf(entry.message), "callback");
      const isPushed = entry.status === outcome && typeof callback.url === "string";
      return isPushed ? callback : correctHubPolicy.callbackOf(entry, hub);
    },
  };
}

/** RFC 5737 reserves this address for documentation, so no host has it. */
const documentationAddress = "203.0.113.7";

/** Hubs that break a rule about callbacks and their addresses. */
export const callbackVariants: readonly HubVariant[] = [
  ...breaks("AHCP-CBK-007", {
    "": [
      "pushes to any URL, even if pull was requested",
      {
        callbackOf(entry) {
          const { message } = entry;
          const callback = memberObject(
            memberObject(message, message.type === "task" ? "action" : "request"),
            "callback",
          );
          return typeof callback.url === "string" ? callback : undefined;
        },
      },
    ],
    cancelled: ["pushes every cancellation", pushOn("cancelled")],
    expired: ["pushes every expiry", pushOn("expired")],
  }),
  ...breaks("AHCP-SSR-001", {
    "": [
      "treats every host as bound to the agent",
      {
        needsBinding: false,
        isBound: (host, agent, hub) =>
          hub.settings.profile === "production" || correctHubPolicy.isBound(host, agent, hub),
        isPrivate: (address, moment) => isPrivateAddress(address) && (moment === "submit" || !isLoopback(address)),
      },
    ],
  }),
  ...breaks("AHCP-SSR-002", {
    "": ["pushes into private networks", { isPrivate: () => false }],
    some: [
      "recognizes only loopback addresses and 10.0.0.0/8 as private",
      { isPrivate: (address) => /^(?:0|10|127)\.|^::(?!ffff:a)/.test(address) },
    ],
    task: ["checks only the callbacks of asks", { checksCallback: ({ type }) => type === "ask" }],
  }),
  ...breaks("AHCP-SSR-003", {
    "": [
      "checks the address when a message arrives, but not when it pushes",
      { isPrivate: (address, moment) => moment === "submit" && isPrivateAddress(address) },
    ],
    rebinding: [
      "checks the address of one DNS lookup and connects to the address of another",
      {
        isPrivate: (address) => address !== documentationAddress && isPrivateAddress(address),
        repeatsLookup: true,
      },
    ],
  }),
  ...breaks("AHCP-SSR-004", {
    "": ["follows redirects", { followsRedirects: true }],
  }),
  ...breaks("AHCP-SSR-005", {
    "": [
      "accepts a host that ends with the name of a bound host",
      {
        isBound: (host, agent, { store }) =>
          [...store.hostOwners].some(([name, agents]) => host.endsWith(name) && agents.has(agent)),
      },
    ],
    beginning: [
      "accepts a host that begins with the name of a bound host",
      {
        isBound: (host, agent, { store }) =>
          [...store.hostOwners].some(([name, agents]) => host.startsWith(name) && agents.has(agent)),
      },
    ],
    anywhere: [
      "sends tokens to any host while it is set up for development",
      {
        isBound: (host, agent, hub) =>
          hub.settings.profile !== "production" || correctHubPolicy.isBound(host, agent, hub),
      },
    ],
    "any-agent": [
      "accepts a host that is bound to another agent",
      { isBound: (host, _agent, { store }) => store.hostOwners.has(host) },
    ],
  }),
  ...breaks("AHCP-SSR-006", {
    "": ["relaxes the checks of callbacks on request, even in production", { canRelaxChecks: true }],
  }),
];
