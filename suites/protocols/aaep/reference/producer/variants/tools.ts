import type { JsonObject } from "../../../../../../schemas/index.ts";
import { changeEvents, isEventOf, replaceEvents } from "./changes.ts";
import { breaks, type ProducerVariant } from "./variant.ts";

const isLookUp = (event: JsonObject): boolean => isEventOf(event, "tool.completed") && event.tool === "look_up";

/** Mistakes with tool calls. */
export const tools: readonly ProducerVariant[] = [
  ...breaks("AAEP-TOOL-003", {
    "": ["announces a call after it is done", { actsEarly: (moment) => moment === "invoking" }],
  }),
  ...breaks("AAEP-TOOL-004", {
    "": [
      "announces an irreversible action before it asks, like shipped producers",
      { actsEarly: (moment) => moment === "announcing" },
    ],
  }),
  ...breaks("AAEP-TOOL-008", {
    "": ["never completes a call", replaceEvents(isLookUp, () => [])],
  }),
  ...breaks("AAEP-TOOL-009", {
    "": [
      "completes calls with a different tool name",
      changeEvents("tool.completed", ({ tool }) => ({ tool: `${tool}_done` })),
    ],
  }),
  ...breaks("AAEP-TOOL-010", {
    "": [
      "completes a call under a different id",
      { changeEvent: (event) => (isLookUp(event) ? { ...event, tool_call_id: `${event.tool_call_id}z` } : event) },
    ],
  }),
  ...breaks("AAEP-TOOL-012", {
    "": ["continues without a completion of the call that it gave up", { completesAbortedCall: false }],
  }),
  ...breaks("AAEP-TOOL-014", {
    "": [
      "shows the API key of a call",
      changeEvents("tool.invoked", () => ({ args_summary: `api_key=sk-${"Ab3".repeat(8)}` })),
    ],
  }),
  ...breaks("AAEP-TOOL-016", {
    "": ["acts without asking, and does not say that the action is irreversible", { asksForConsent: () => false }],
  }),
];
