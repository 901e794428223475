import type { JsonObject } from "../../../../../../schemas/index.ts";
import { events, isOf, sends } from "./changes.ts";
import { breaks, type ProducerVariant } from "./variant.ts";

const isLookUp = (event: JsonObject): boolean => isOf(event, "tool.completed") && event.tool === "look_up";

/** Mistakes with tool calls. */
export const tools: readonly ProducerVariant[] = [
  ...breaks("AAEP-TOOL-003", {
    "": ["announces a call once it is done", { early: (when) => when === "invoking" }],
  }),
  ...breaks("AAEP-TOOL-004", {
    "": [
      "announces an irreversible action before it asks, like shipped producers",
      { early: (when) => when === "announcing" },
    ],
  }),
  ...breaks("AAEP-TOOL-008", {
    "": ["leaves a call open", sends(isLookUp, () => [])],
  }),
  ...breaks("AAEP-TOOL-009", {
    "": ["closes calls under another name", events("tool.completed", ({ tool }) => ({ tool: `${tool}_done` }))],
  }),
  ...breaks("AAEP-TOOL-010", {
    "": [
      "completes a call under another id",
      { event: (event) => (isLookUp(event) ? { ...event, tool_call_id: `${event.tool_call_id}z` } : event) },
    ],
  }),
  ...breaks("AAEP-TOOL-012", {
    "": ["continues without a completion of the call that it gave up", { closesTool: false }],
  }),
  ...breaks("AAEP-TOOL-014", {
    "": [
      "reads out the key that it calls with",
      events("tool.invoked", () => ({ args_summary: `api_key=sk-${"Ab3".repeat(8)}` })),
    ],
  }),
  ...breaks("AAEP-TOOL-016", {
    "": ["never asks, and does not say that it cannot be undone", { asks: () => false }],
  }),
];
