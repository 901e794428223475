import type { JsonObject } from "../../../../../../schemas/index.ts";
import { changeEvents, isEventOf, replaceEvents } from "./changes.ts";
import { type ProducerVariant, variantsBreaking } from "./variant.ts";

const isLookUp = (event: JsonObject): boolean => isEventOf(event, "tool.completed") && event.tool === "look_up";

/** Mistakes with tool calls. */
export const toolVariants: readonly ProducerVariant[] = [
  ...variantsBreaking("AAEP-TOOL-003", {
    "": ["announces a call after it is done", { actsEarly: (moment) => moment === "invoking" }],
  }),
  ...variantsBreaking("AAEP-TOOL-004", {
    "": [
      "announces an irreversible action before it asks, like shipped producers",
      { actsEarly: (moment) => moment === "announcing" },
    ],
  }),
  ...variantsBreaking("AAEP-TOOL-008", {
    "": ["never completes a call", replaceEvents(isLookUp, () => [])],
  }),
  ...variantsBreaking("AAEP-TOOL-009", {
    "": [
      "completes calls with a different tool name",
      changeEvents("tool.completed", ({ tool }) => ({ tool: `${tool}_done` })),
    ],
  }),
  ...variantsBreaking("AAEP-TOOL-010", {
    "": [
      "completes a call under a different id",
      { changeEvent: (event) => (isLookUp(event) ? { ...event, tool_call_id: `${event.tool_call_id}z` } : event) },
    ],
  }),
  ...variantsBreaking("AAEP-TOOL-012", {
    "": ["continues without a completion of the call that it gave up", { completesAbortedCall: false }],
  }),
  ...variantsBreaking("AAEP-TOOL-014", {
    "": [
      "shows the API key of a call",
      changeEvents("tool.invoked", () => ({ args_summary: `api_key=sk-${"Ab3".repeat(8)}` })),
    ],
  }),
  ...variantsBreaking("AAEP-TOOL-016", {
    "": ["acts without asking, and does not say that the action is irreversible", { asksForConsent: () => false }],
  }),
];
