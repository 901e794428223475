import { correctHubPolicy } from "../policy.ts";
import { fetchHere } from "./change.ts";
import { breaks, type HubVariant } from "./variant.ts";

/** Hubs that break a rule on handling the content of messages. */
export const safetyVariants: readonly HubVariant[] = [
  ...breaks("AHCP-SAF-001", {
    "": ["shows the body as HTML", { extraViewMembers: ({ body = "" }) => ({ html: body }) }],
  }),
  ...breaks("AHCP-SAF-002", {
    "": [
      "fetches the links in the body of a message",
      {
        onView({ body }) {
          for (const [url] of String(body).matchAll(/https?:\/\/[^\s)"'>]+/g)) fetchHere(url);
        },
      },
    ],
  }),
  ...breaks("AHCP-SAF-003", {
    "": [
      "logs the body of a message that is not sensitive",
      { loggedContent: ({ body, sensitive }) => (sensitive === true ? undefined : body) },
    ],
  }),
  ...breaks("AHCP-SAF-004", {
    "": [
      "logs the body of a sensitive message",
      { loggedContent: ({ body, sensitive }) => (sensitive === true ? body : correctHubPolicy.loggedContent({})) },
    ],
  }),
];
