import { fault } from "../reply.ts";
import { bodies, type HubVariant, replies, without } from "./variant.ts";

/** Hubs that break a rule on what a hub publishes. */
export const capabilityVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-CAP-001",
    says: "publishes nothing",
    policy: replies("capability", () => fault("not_found", "nothing is published")),
  },
  {
    rule: "AHCP-CAP-002",
    says: "publishes no version",
    policy: bodies("capability", (body) => without(body, "ahcp_version")),
  },
  {
    rule: "AHCP-CAP-002",
    name: "text",
    says: "publishes a limit as a text",
    policy: bodies("capability", (body) => ({ ...body, max_part_bytes: String(body.max_part_bytes) })),
  },
  {
    rule: "AHCP-CAP-003",
    says: "publishes its version and nothing else",
    policy: bodies("capability", ({ ahcp_version: version = "" }) => ({ ahcp_version: version })),
  },
  {
    rule: "AHCP-CAP-004",
    says: "does not publish a scheme that it lets in",
    policy: bodies("capability", (body) => ({ ...body, auth_schemes: [], replay_window_seconds: 600 })),
  },
  {
    rule: "AHCP-CAP-004",
    name: "apikey",
    says: "takes API keys and publishes bearer tokens only",
    policy: bodies("capability", (body) => ({ ...body, auth_schemes: ["bearer"] })),
  },
];
