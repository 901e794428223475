import { add, remove } from "../../../../generators/index.ts";
import type { Cases, Json } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { event, extensionEvent, tidewatch } from "./messages.ts";

const gauge: Json = {
  type: "object",
  required: ["gauge"],
  properties: { gauge: { enum: ["north", "south"] }, level_cm: { type: "integer", minimum: 0 } },
  additionalProperties: false,
};
const opened: Json = {
  type: "object",
  required: ["gate"],
  properties: { gate: { type: "string", minLength: 1 } },
};
const withData = (data: Json) => ({
  event: event("agent.state.changed", { "@context": [coreContext, tidewatch], extensions: { tidewatch: data } }),
  data_schemas: { tidewatch: gauge },
});

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-EXT-005",
    document: "extension-use",
    valid: [
      {
        name: "data",
        at: "/event/extensions/tidewatch",
        says: "is valid under the extension's schema",
        data: withData({ gauge: "north", level_cm: 412 }),
      },
      {
        name: "data-at-the-bound",
        at: "/event/extensions/tidewatch",
        says: "is valid under the extension's schema, by a hair",
        data: withData({ gauge: "south", level_cm: 0 }),
        edge: true,
      },
      {
        name: "payload",
        at: "/event",
        says: "is valid under the extension's schema",
        data: { event: extensionEvent({ gate: "north" }), event_schema: opened },
      },
      {
        name: "data-of-another",
        at: "/event/extensions/bells",
        says: "belongs to an extension whose schema is not at hand",
        data: {
          event: event("agent.state.changed", {
            "@context": [coreContext, "https://bells.example/context/v1"],
            extensions: { bells: { gauge: "west" } },
          }),
          data_schemas: { tidewatch: gauge },
        },
        edge: true,
      },
      {
        name: "anything",
        at: "/event/extensions/tidewatch",
        says: "may be anything",
        data: { ...withData({ tide: "high" }), data_schemas: { tidewatch: true } },
        edge: true,
      },
    ],
    invalid: [
      { name: "data-incomplete", says: "is missing", change: remove("/event/extensions/tidewatch/gauge") },
      {
        name: "data-with-more",
        says: "is not in the extension's schema",
        change: add("/event/extensions/tidewatch/tide", "high"),
      },
      {
        name: "data-below-the-bound",
        from: "data-at-the-bound",
        says: "is below the extension's minimum",
        change: add("/event/extensions/tidewatch/level_cm", -1),
        edge: true,
      },
      { name: "payload-incomplete", from: "payload", says: "is missing", change: remove("/event/gate") },
      { name: "payload-empty", from: "payload", says: "is empty", change: add("/event/gate", ""), edge: true },
      {
        name: "nothing",
        from: "anything",
        at: "/event/extensions/tidewatch",
        says: "is there although the extension allows nothing",
        change: add("/data_schemas/tidewatch", false),
        edge: true,
      },
    ],
  },
];
