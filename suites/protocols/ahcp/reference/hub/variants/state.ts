import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { RunningHub } from "../hub.ts";
import { note } from "../keeping.ts";
import { breaks, type HubVariant } from "./variant.ts";

/** The last pushed body of each message, by hub and message id. */
const pushedBodies = new WeakMap<RunningHub, Map<string, JsonObject>>();

/** The last pushes of a hub. */
function pushedBodiesOf(hub: RunningHub): Map<string, JsonObject> {
  const pushes = pushedBodies.get(hub) ?? new Map<string, JsonObject>();
  pushedBodies.set(hub, pushes);
  return pushes;
}

/** Hubs that break a rule on an agent's private state. */
export const stateVariants: readonly HubVariant[] = [
  ...breaks("AHCP-STA-001", {
    "": ["logs the state", { loggedContent: ({ state }) => state }],
    push: [
      "logs the body of each push",
      {
        headers(headers, { body, hub, attempt }) {
          note(hub, "pushing", { id: attempt.entry.id, leak: body });
          return headers;
        },
      },
    ],
    "push-refused": [
      "logs the body of a push that the callback refuses",
      {
        headers(headers, { body, hub, attempt }) {
          pushedBodiesOf(hub).set(attempt.entry.id, body);
          return headers;
        },
        recordedEvent(happening, hub) {
          const isRefusal = happening.event === "attempted" && happening.push === "refused";
          const leak = isRefusal ? pushedBodiesOf(hub).get(happening.id) : undefined;
          if (isRefusal && leak !== undefined) note(hub, "push refused", { id: happening.id, leak });
          return happening;
        },
      },
    ],
    refused: [
      "logs a refused message whose title is not a string",
      {
        refuseSender(value, _, hub) {
          if (isObject(value) && typeof value.title !== "string") note(hub, "refused", { leak: value });
          return undefined;
        },
      },
    ],
  }),
];
