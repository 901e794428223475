import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { stampAt } from "./says.ts";
import { another, place, session, varied } from "./session.ts";

const plain = session("start think reach invoke return think complete");
const bare = session("start think reach invoke return think complete", {
  invoke: { tool_call_id: undefined },
  return: { tool_call_id: undefined },
});
const two = session("start think reach invoke return think reach invoke return think complete");
const sessions = session(
  "start think reach invoke return think complete start think reach invoke return think complete",
);

/** Two calls at a time, the second completed first. */
const overlapping = plain.toSpliced(
  4,
  0,
  another(plain, "tool.invoked", { tool_call_id: "call_2", event_id: "evt_41" }),
  another(plain, "tool.completed", { tool_call_id: "call_2", event_id: "evt_42", timestamp: stampAt(4) }),
);

/** Two calls at a time without ids, of two tools. */
const bareOverlapping = bare.toSpliced(
  4,
  0,
  another(bare, "tool.invoked", { tool: "read_tides", event_id: "evt_41" }),
  another(bare, "tool.completed", { tool: "read_tides", event_id: "evt_42", timestamp: stampAt(4) }),
);
const asking = session("start think reach invoke return think complete").toSpliced(
  4,
  0,
  another(
    plain,
    "state.changed",
    { from_state: "calling_tool", to_state: "awaiting_input", event_id: "evt_41", timestamp: stampAt(4) },
    2,
  ),
  another(
    plain,
    "state.changed",
    { from_state: "awaiting_input", to_state: "calling_tool", event_id: "evt_42", timestamp: stampAt(4) },
    2,
  ),
);

const tides = { tool: "read_tides" };
const reading = varied(overlapping, { 3: tides, 4: tides, 5: tides, 6: tides });

export const callCases: readonly Cases[] = [
  {
    rule: "AAEP-TOOL-006",
    document: "session",
    valid: [
      { name: "own-ids", says: "gives each call an id", data: two },
      { name: "overlapping", says: "gives two calls at a time two ids", data: overlapping },
      {
        name: "again-in-another-session",
        says: "has the id again in another session",
        edge: true,
        data: sessions.map((each) =>
          JSON.stringify(each).includes("call_2")
            ? (JSON.parse(JSON.stringify(each).replace("call_2", "call_1")) as JsonObject)
            : each,
        ),
      },
    ],
    invalid: [
      {
        name: "id-of-an-earlier-call",
        says: "is the id of a call that is over",
        from: "own-ids",
        at: place(two, "tool.invoked", "tool_call_id", 2),
        change: [
          ...add(place(two, "tool.invoked", "tool_call_id", 2), "call_1"),
          ...add(place(two, "tool.completed", "tool_call_id", 2), "call_1"),
        ],
      },
      {
        name: "id-of-an-open-call",
        says: "is the id of a call that is still open",
        from: "overlapping",
        at: place(overlapping, "tool.invoked", "tool_call_id", 2),
        change: [
          ...add(place(overlapping, "tool.invoked", "tool_call_id", 2), "call_1"),
          ...add(place(overlapping, "tool.completed", "tool_call_id", 1), "call_1"),
        ],
      },
    ],
  },
  {
    rule: "AAEP-TOOL-011",
    document: "session",
    valid: [
      { name: "completed-first", says: "completes the call, and then goes on", data: plain },
      { name: "asks-meanwhile", says: "waits for input while the call is open", edge: true, data: asking },
      {
        name: "two-open",
        says: "goes on while two calls are open",
        edge: true,
        data: overlapping.toSpliced(
          5,
          0,
          another(
            plain,
            "state.changed",
            { from_state: "calling_tool", to_state: "thinking", event_id: "evt_43", timestamp: stampAt(4) },
            2,
          ),
          another(
            plain,
            "state.changed",
            { from_state: "thinking", to_state: "calling_tool", event_id: "evt_44", timestamp: stampAt(4) },
            2,
          ),
        ),
      },
    ],
    invalid: [
      {
        name: "thinking-before-completion",
        says: "is thinking while the call is open",
        from: "completed-first",
        at: "/4/message/to_state",
        change: [
          {
            op: "replace",
            path: "/4",
            value: another(plain, "state.changed", { event_id: "evt_5", timestamp: stampAt(5) }, 3),
          },
          {
            op: "replace",
            path: "/5",
            value: another(plain, "tool.completed", { event_id: "evt_6", timestamp: stampAt(6) }),
          },
        ],
      },
      {
        name: "writing-meanwhile",
        says: "is writing while the call is open",
        from: "asks-meanwhile",
        at: "/4/message/to_state",
        change: [...add("/4/message/to_state", "writing_output"), ...add("/5/message/from_state", "writing_output")],
      },
    ],
  },
  {
    rule: "AAEP-TOOL-013",
    document: "session",
    valid: [
      { name: "overlapping-with-ids", says: "has two calls at a time with ids", data: reading },
      {
        name: "two-tools-without-ids",
        says: "has two calls at a time without ids, of two tools",
        edge: true,
        data: bareOverlapping,
      },
      {
        name: "in-turn-without-ids",
        says: "has two calls without ids, one after the other",
        edge: true,
        data: session("start think reach invoke return think reach invoke return think complete", {
          invoke: { tool_call_id: undefined },
          return: { tool_call_id: undefined },
        }),
      },
    ],
    invalid: [
      {
        name: "one-tool-without-ids",
        says: "is a second open call of the tool, and neither has an id",
        from: "two-tools-without-ids",
        at: "/4/message",
        change: [...add("/4/message/tool", "find_berth"), ...add("/5/message/tool", "find_berth")],
      },
      {
        name: "ids-left-out",
        says: "is a second open call of the tool, and neither has an id",
        from: "overlapping-with-ids",
        at: "/4/message",
        change: [3, 4, 5, 6].flatMap((index) => remove(`/${index}/message/tool_call_id`)),
      },
    ],
  },
];
