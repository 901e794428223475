import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { RunningHub } from "../hub.ts";
import { note } from "../keeping.ts";
import { breaks, type HubVariant } from "./variant.ts";

/** The last push, by the id of the message. */
const pushedBodies = new Map<string, { hub: RunningHub; body: JsonObject }>();

/** Hubs that break a rule on the state of an agent. */
export const stateVariants: readonly HubVariant[] = [
  ...breaks("AHCP-STA-001", {
    "": ["logs the state", { leaks: ({ state }) => state }],
    push: [
      "logs its pushes",
      {
        headers(headers, { body, hub, attempt }) {
          note(hub, "pushing", { id: attempt.entry.id, leak: body });
          return headers;
        },
      },
    ],
    "push-refused": [
      "logs a push that a callback refuses",
      {
        headers(headers, { body, hub, attempt }) {
          pushedBodies.set(attempt.entry.id, { hub, body });
          return headers;
        },
        records(happening) {
          const last = happening.event === "attempted" ? pushedBodies.get(happening.id) : undefined;
          if (last !== undefined && happening.event === "attempted" && happening.push === "refused")
            note(last.hub, "push refused", { id: happening.id, leak: last.body });
          return happening;
        },
      },
    ],
    refused: [
      "logs a message with a title that it refuses",
      {
        early(value, _, hub) {
          if (isObject(value) && typeof value.title !== "string") note(hub, "refused", { leak: value });
          return undefined;
        },
      },
    ],
  }),
];
