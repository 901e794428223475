import { add } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { numbered, on, onBoth, place, session } from "./session.ts";

const plain = session("start think update update complete");
const two = session("start think complete start think complete");
const counted = numbered(plain);
const countedCopies = onBoth(counted);
const silent = session("request accepted", {
  request: { capabilities: { supports_clarification_reply: true, languages: ["en-GB"] } },
  accepted: { honored_capabilities: { languages: ["en-GB"] }, subscription_id: "sub_q5" },
});
const questioned = onBoth(numbered(session("start think update wait ask reject think complete")));
const unasked = [
  ...on("b", silent),
  ...questioned.filter((each) => !(each.subscription === "b" && typed(each) === "aaep:agent.awaiting.confirmation")),
];
const excluding = { event_filters: { exclude: ["aaep:agent.progress.*"] }, languages: ["en-GB"] };
const filtered = numbered(
  session("request accepted start think update complete", {
    request: { capabilities: excluding },
    accepted: { honored_capabilities: excluding },
  }),
).filter((each) => typed(each) !== "aaep:agent.progress.updated");
const narrow = { languages: ["en-GB"], supports_confirmation_reply: true, supports_clarification_reply: true };
const extended = numbered(
  session("request accepted start think update complete", {
    request: { capabilities: narrow },
    accepted: { honored_capabilities: { ...narrow, event_filters: { include: ["aaep:agent.*"] } } },
    update: { type: "tidewatch:gauge.read" },
  }),
).filter((each) => typed(each) !== "tidewatch:gauge.read");
const lossy = [...counted.slice(0, 2), { gap: "the connection was lost" }, ...counted.slice(3)];
function typed({ message }: JsonObject): unknown {
  return (message as JsonObject).type;
}

export const numberCases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-026",
    document: "session",
    valid: [
      { name: "numbered", says: "counts its events from 0", data: counted },
      { name: "two-sessions", says: "counts each session from 0", edge: true, data: numbered(two) },
      { name: "filtered", says: "lacks a number whose event the filters keep out", edge: true, data: filtered },
      {
        name: "extension-filtered",
        says: "lacks a number that may be of an extension's event, which the terms keep out",
        edge: true,
        data: extended,
      },
      {
        name: "lost-by-the-recorder",
        says: "lacks a number where the recorder may have missed it",
        edge: true,
        data: lossy,
      },
    ],
    invalid: [
      {
        name: "starts-at-1",
        says: "is 1, and the next 2",
        from: "two-sessions",
        change: [1, 2, 3].map((number, index) => ({
          op: "replace",
          path: `/${index}/message/sequence_number`,
          value: number,
        })),
      },
      {
        name: "a-number-left-out",
        says: "is one too high",
        from: "numbered",
        change: add(place(counted, "session.completed", "sequence_number"), 5),
      },
      {
        name: "a-number-twice",
        says: "is the number of the event before",
        from: "numbered",
        change: add(place(counted, "session.completed", "sequence_number"), 3),
      },
      {
        name: "counted-over-sessions",
        says: "goes on counting where the session before ended",
        from: "two-sessions",
        change: [3, 4, 5].map((number) => ({
          op: "replace",
          path: `/${number}/message/sequence_number`,
          value: number,
        })),
      },
      {
        name: "two-exchanged",
        says: "is less than the number of the event before, and later",
        from: "numbered",
        at: "/3/message/sequence_number",
        change: [3, 2].map((number, index) => ({
          op: "replace",
          path: `/${index + 2}/message/sequence_number`,
          value: number,
        })),
      },
    ],
  },
  {
    rule: "AAEP-ENV-027",
    document: "session",
    valid: [
      { name: "all", says: "numbers all events", data: counted },
      { name: "none", says: "numbers no event", data: plain },
      {
        name: "one-session-of-two",
        says: "numbers one session, and not the other",
        edge: true,
        data: [...numbered(two.slice(0, 3)), ...two.slice(3)],
      },
    ],
    invalid: [
      {
        name: "one-without",
        says: "lacks the number that all others have",
        from: "all",
        at: place(counted, "state.changed"),
        change: [{ op: "remove", path: place(counted, "state.changed", "sequence_number") }],
      },
      {
        name: "last-without",
        says: "lacks the number that all others have",
        from: "all",
        at: place(counted, "session.completed"),
        change: [{ op: "remove", path: place(counted, "session.completed", "sequence_number") }],
      },
      {
        name: "one-with",
        says: "has a number that no other has",
        from: "none",
        change: add(place(plain, "state.changed", "sequence_number"), 1),
      },
      {
        name: "start-with",
        says: "lacks the number that the start has",
        from: "none",
        at: "/1/message",
        change: add(place(plain, "session.started", "sequence_number"), 0),
      },
    ],
  },
  {
    rule: "AAEP-TRN-005",
    document: "session",
    valid: [
      { name: "both-whole", says: "has all numbers on both subscriptions", data: countedCopies },
      { name: "cannot-answer", says: "leaves a question out where it cannot be answered", edge: true, data: unasked },
      {
        name: "recorder-lost-one",
        says: "lacks an event that the recorder may have missed",
        edge: true,
        data: countedCopies.map((each, index) =>
          index === 5 ? { gap: "the connection was lost", subscription: "b" } : each,
        ),
      },
    ],
    invalid: [
      {
        name: "lost-on-one",
        says: "does not come on the second subscription",
        from: "both-whole",
        at: "/6",
        change: [{ op: "remove", path: "/5" }],
      },
      {
        name: "lost-on-the-first",
        says: "does not come on the first subscription",
        from: "both-whole",
        at: "/5",
        change: [{ op: "remove", path: "/4" }],
      },
      {
        name: "lost-beside-a-question",
        says: "does not come where only questions may be left out",
        from: "cannot-answer",
        at: "/8/message",
        change: [{ op: "remove", path: "/7" }],
      },
    ],
  },
];
