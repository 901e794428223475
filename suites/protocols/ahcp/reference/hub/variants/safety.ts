import { right } from "../policy.ts";
import { fetchHere } from "./change.ts";
import type { HubVariant } from "./variant.ts";

/** Hubs that break a rule on the handling of contents. */
export const safetyVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-SAF-001",
    says: "shows the body as HTML",
    policy: { shows: ({ body = "" }) => ({ html: body }) },
  },
  {
    rule: "AHCP-SAF-002",
    says: "fetches the links in the body of a message",
    policy: {
      viewing({ body }) {
        for (const [url] of String(body).matchAll(/https?:\/\/[^\s)"'>]+/g)) fetchHere(url);
      },
    },
  },
  {
    rule: "AHCP-SAF-003",
    says: "logs the body of a message that is not sensitive",
    policy: { leaks: ({ body, sensitive }) => (sensitive === true ? undefined : body) },
  },
  {
    rule: "AHCP-SAF-004",
    says: "logs the body of a sensitive message",
    policy: { leaks: ({ body, sensitive }) => (sensitive === true ? body : right.leaks({})) },
  },
];
