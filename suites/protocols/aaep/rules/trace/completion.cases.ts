import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { stampAt } from "./says.ts";
import { another, entry, place, session } from "./session.ts";

const plain = session("start think reach invoke return think complete");
const bare = session("start think reach invoke return think complete", {
  invoke: { tool_call_id: undefined },
  return: { tool_call_id: undefined },
});
const failed = session("start think reach invoke return think fail");

/** Two calls at a time, the second completed first. */
const overlapping = plain.toSpliced(
  4,
  0,
  another(plain, "tool.invoked", { tool_call_id: "call_2", event_id: "evt_41" }),
  another(plain, "tool.completed", { tool_call_id: "call_2", event_id: "evt_42", timestamp: stampAt(4) }),
);
const joined: JsonObject[] = [{ gap: "joined in mid-session" }, ...plain.slice(4)];
const cut: JsonObject[] = [...plain.slice(0, 4), { gap: "the connection was lost" }, ...plain.slice(5)];
const unwanted = { event_filters: { exclude: ["aaep:agent.tool.completed"] }, languages: ["en-GB"] };
const filtered = session("request accepted start think reach invoke return think complete", {
  request: { capabilities: unwanted },
  accepted: { honored_capabilities: unwanted },
}).toSpliced(6, 1);
const done = entry(plain, "tool.completed");

export const completionCases: readonly Cases[] = [
  {
    rule: "AAEP-TOOL-007",
    document: "session",
    valid: [
      { name: "paired-by-id", says: "completes what was called, by its id", data: plain },
      { name: "paired-by-name", says: "completes what was called, by the name of the tool", edge: true, data: bare },
      { name: "joined", says: "completes what may have been called before the recording", edge: true, data: joined },
    ],
    invalid: [
      {
        name: "never-called",
        says: "completes a call that there was not",
        from: "paired-by-id",
        change: add(
          done,
          another(plain, "tool.completed", { tool: "read_tides", tool_call_id: "call_9", timestamp: stampAt(4) }),
        ),
      },
      {
        name: "never-called-by-name",
        says: "completes a tool that was not called",
        from: "paired-by-name",
        change: add(done, another(bare, "tool.completed", { tool: "read_tides", timestamp: stampAt(4) })),
      },
      {
        name: "before-the-call",
        says: "comes before its call",
        from: "paired-by-id",
        at: "/3/message",
        change: [
          {
            op: "replace",
            path: "/3",
            value: another(plain, "tool.completed", { event_id: "evt_4", timestamp: stampAt(4) }),
          },
          {
            op: "replace",
            path: "/4",
            value: another(plain, "tool.invoked", { event_id: "evt_5", timestamp: stampAt(5) }),
          },
        ],
      },
    ],
  },
  {
    rule: "AAEP-TOOL-008",
    document: "session",
    valid: [
      { name: "completed", says: "completes its call", data: plain },
      { name: "errored", says: "completes its call before it ends with an error", data: failed },
      {
        name: "each-completed",
        says: "completes two calls at a time, the second first",
        edge: true,
        data: overlapping,
      },
      { name: "lost-by-the-recorder", says: "has a call whose completion may have been missed", edge: true, data: cut },
      { name: "filtered", says: "has filters that keep the completion out", edge: true, data: filtered },
    ],
    invalid: [
      {
        name: "never-completed",
        says: "is a call that nothing completes",
        from: "completed",
        at: place(plain, "tool.invoked"),
        change: remove(done),
      },
      {
        name: "one-of-two-not-completed",
        says: "is the one of two calls that nothing completes",
        from: "each-completed",
        at: place(overlapping, "tool.invoked"),
        change: remove(entry(overlapping, "tool.completed", 2)),
      },
      {
        name: "completed-twice",
        says: "completes a call that is complete",
        from: "completed",
        change: add(entry(plain, "state.changed", 3), another(plain, "tool.completed")),
      },
      {
        name: "not-completed-before-an-error",
        says: "is a call that nothing completes before the session ends with an error",
        from: "errored",
        at: place(failed, "tool.invoked"),
        change: remove(entry(failed, "tool.completed")),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-TOOL-009",
    document: "session",
    valid: [
      { name: "one-name", says: "has one name on both halves", data: plain },
      {
        name: "names-crosswise",
        says: "has two calls at a time of two tools, each with its own name",
        edge: true,
        data: overlapping.map((each, index) =>
          index === 4 || index === 5
            ? { ...each, message: { ...(each.message as JsonObject), tool: "read_tides" } }
            : each,
        ),
      },
    ],
    invalid: [
      {
        name: "another-name",
        says: "is another tool than was called",
        from: "one-name",
        change: add(place(plain, "tool.completed", "tool"), "read_tides"),
      },
      {
        name: "name-in-capitals",
        says: "differs in case from the tool that was called",
        from: "one-name",
        change: add(place(plain, "tool.completed", "tool"), "Find_berth"),
      },
      {
        name: "name-of-the-other-call",
        says: "is the tool of the other open call",
        from: "names-crosswise",
        change: add(place(overlapping, "tool.completed", "tool"), "find_berth"),
      },
    ],
  },
  {
    rule: "AAEP-TOOL-010",
    document: "session",
    valid: [
      { name: "id-repeated", says: "repeats the id of the call", data: plain },
      {
        name: "lettered",
        says: "repeats an id with letters",
        data: session("start think reach invoke return think complete", {
          invoke: { tool_call_id: "call_a" },
          return: { tool_call_id: "call_a" },
        }),
      },
      { name: "no-id", says: "has no id on either half", edge: true, data: bare },
    ],
    invalid: [
      {
        name: "id-lost",
        says: "lacks the id of its call",
        from: "id-repeated",
        at: place(plain, "tool.completed"),
        change: remove(place(plain, "tool.completed", "tool_call_id")),
      },
      {
        name: "other-id",
        says: "is not the id of its call",
        from: "id-repeated",
        change: add(place(plain, "tool.completed", "tool_call_id"), "call_9"),
      },
      {
        name: "id-in-another-case",
        says: "differs from the id of its call in case",
        from: "lettered",
        change: add("/4/message/tool_call_id", "call_A"),
      },
    ],
  },
];
