import { fault } from "../reply.ts";
import { breaks, changeBodies, changeReplies, type HubVariant, withoutMembers } from "./variant.ts";

/** Hubs that break a rule on the capability document. */
export const capabilityVariants: readonly HubVariant[] = [
  ...breaks("AHCP-CAP-001", {
    "": [
      "publishes no capability document",
      changeReplies("capability", () => fault("not_found", "nothing is published")),
    ],
  }),
  ...breaks("AHCP-CAP-002", {
    "": ["publishes no version", changeBodies("capability", (body) => withoutMembers(body, "ahcp_version"))],
    text: [
      "publishes a limit as a string",
      changeBodies("capability", (body) => ({ ...body, max_part_bytes: String(body.max_part_bytes) })),
    ],
  }),
  ...breaks("AHCP-CAP-003", {
    "": [
      "publishes only its version",
      changeBodies("capability", ({ ahcp_version: version = "" }) => ({ ahcp_version: version })),
    ],
  }),
  ...breaks("AHCP-CAP-004", {
    "": [
      "does not publish a scheme that it accepts",
      changeBodies("capability", (body) => ({ ...body, auth_schemes: [], replay_window_seconds: 600 })),
    ],
    apikey: [
      "accepts API keys, but publishes only bearer tokens",
      changeBodies("capability", (body) => ({ ...body, auth_schemes: ["bearer"] })),
    ],
  }),
];
