import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { RunningHub } from "../hub.ts";
import { note } from "../keeping.ts";
import { breaks, type HubVariant } from "./variant.ts";

/** The last push of each hub, by the id of the message. */
const pushedBodies = new WeakMap<RunningHub, Map<string, JsonObject>>();

/** The last pushes of a hub. */
function pushesOf(hub: RunningHub): Map<string, JsonObject> {
  const pushes = pushedBodies.get(hub) ?? new Map<string, JsonObject>();
  pushedBodies.set(hub, pushes);
  return pushes;
}

/** Hubs that break a rule on the state of an agent. */
export const stateVariants: readonly HubVariant[] = [
  ...breaks("AHCP-STA-001", {
    "": ["logs the state", { loggedContent: ({ state }) => state }],
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
          pushesOf(hub).set(attempt.entry.id, body);
          return headers;
        },
        recordedEvent(happening, hub) {
          const isRefusal = happening.event === "attempted" && happening.push === "refused";
          const leak = isRefusal ? pushesOf(hub).get(happening.id) : undefined;
          if (isRefusal && leak !== undefined) note(hub, "push refused", { id: happening.id, leak });
          return happening;
        },
      },
    ],
    refused: [
      "logs a message with a title that it refuses",
      {
        refuseSender(value, _, hub) {
          if (isObject(value) && typeof value.title !== "string") note(hub, "refused", { leak: value });
          return undefined;
        },
      },
    ],
  }),
];
