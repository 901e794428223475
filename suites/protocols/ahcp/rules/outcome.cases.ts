import type { Cases, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { confirm, input, select, task } from "./messages.ts";
import { answered, by, cancelled, completed, declined, expired, expiredTask, outcome, response } from "./responses.ts";

const resolution = "/response/resolution";

function becomes(name: string, says: string, value: string, from?: string): InvalidCase {
  return { name, says, change: [{ op: "replace", path: resolution, value }], ...(from === undefined ? {} : { from }) };
}

function without(name: string, says: string, from: string, path: string): InvalidCase {
  return { name, says, from, at: path.slice(0, path.lastIndexOf("/")), change: [{ op: "remove", path }] };
}

function adds(name: string, says: string, path: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "add", path, value }], ...(from === undefined ? {} : { from }) };
}

const dismissed = { ...completed, resolution: "dismissed" };
const plain: JsonObject = by("human:bea");
const state: Json = {
  sealed: "k1.cXV4",
  nothing: null,
  no: false,
  none: 0,
  empty: "",
  list: [],
  object: {},
  "e\u0301": "\u00e9",
};

export const outcomeCases: Cases[] = [
  {
    rule: "AHCP-RSP-007",
    document: "outcome",
    valid: [
      { name: "declined-ask", says: "is how an ask may end", at: resolution, data: outcome(select, declined) },
      { name: "cancelled-ask", says: "is how an ask may end", at: resolution, data: outcome(confirm, cancelled) },
      { name: "dismissed-task", says: "is how a task may end", at: resolution, data: outcome(task, dismissed) },
      {
        name: "expired-ask",
        says: "is how ask and task may end, here an ask",
        at: resolution,
        edge: true,
        data: outcome(select, expired),
      },
      {
        name: "expired-task",
        says: "is how ask and task may end, here a task",
        at: resolution,
        edge: true,
        data: outcome(task, expiredTask),
      },
    ],
    invalid: [
      becomes("completed-ask", "is a task's, on an ask", "completed"),
      becomes("dismissed-ask", "is a task's, on an ask", "dismissed", "cancelled-ask"),
      becomes("cancelled-task", "is an ask's, on a task", "cancelled", "dismissed-task"),
      becomes("declined-task", "is an ask's, on a task", "declined", "dismissed-task"),
      becomes("answered-task", "is an ask's, on a task", "answered", "expired-task"),
    ],
  },
  {
    rule: "AHCP-RSP-008",
    document: "outcome",
    valid: [
      {
        name: "declined",
        says: "has a response although it is declined",
        at: "/response",
        data: outcome(select, declined),
      },
      { name: "answered", says: "has a response", at: "/response", data: outcome(select, answered("rye")) },
      { name: "cancelled", says: "has a response", at: "/response", data: outcome(input, cancelled) },
      { name: "expired", says: "has a response", at: "/response", data: outcome(confirm, expired) },
      {
        name: "task-without",
        says: "has no response, and is a task's",
        at: "/response",
        edge: true,
        data: outcome(task, response("dismissed")),
      },
    ],
    invalid: [
      without("cancelled-without", "has no response although an ask is cancelled", "cancelled", "/response/response"),
      without("declined-without", "has no response although an ask is declined", "declined", "/response/response"),
      without("answered-without", "has no response although an ask is answered", "answered", "/response/response"),
      without("expired-without", "has no response although an ask is expired", "expired", "/response/response"),
    ],
  },
  {
    rule: "AHCP-RSP-008",
    document: "response",
    valid: [
      { name: "declined", says: "tells who declined, and when", data: declined },
      { name: "expired-without", says: "has no response, and may be a task's", edge: true, data: response("expired") },
    ],
    invalid: [
      { name: "declined-without", says: "has none of its own", at: "", change: [{ op: "remove", path: "/response" }] },
      {
        name: "cancelled-without",
        says: "is cancelled, as asks are, and has none of its own",
        at: "",
        change: [
          { op: "replace", path: "/resolution", value: "cancelled" },
          { op: "remove", path: "/response" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-RSP-009",
    document: "outcome",
    valid: [
      {
        name: "with-comment",
        says: "has a comment and no value",
        at: "/response/response",
        data: outcome(task, completed),
      },
      {
        name: "with-checklist",
        says: "has a checklist, and no value",
        at: "/response/response",
        edge: true,
        data: outcome(
          task,
          response("completed", { ...plain, checklist: [{ text: "Rinsed", done: true }, { text: "Dried" }] }),
        ),
      },
      {
        name: "without-response",
        says: "has no response at all",
        at: "/response",
        edge: true,
        data: outcome(task, response("completed")),
      },
      {
        name: "ask-with-value",
        says: "has a value, and is an ask's",
        at: "/response/response/value",
        data: outcome(select, answered("rye")),
      },
    ],
    invalid: [
      adds("value", "is a value, and a task has none", "/response/response/value", "done"),
      adds("object-value", "is a value, and a task has none", "/response/response/value", {}, "with-checklist"),
      {
        ...adds(
          "checklist-of-texts",
          "is an item without a text of its own",
          "/response/response/checklist/0",
          "Rinsed",
        ),
        ...{ from: "with-checklist", level: "SHOULD" },
      },
      {
        ...adds("checklist-not-a-list", "is no list", "/response/response/checklist", { Rinsed: true }, "with-comment"),
        level: "SHOULD",
      },
      {
        ...adds("done-in-words", "is not an item, as whether it is done is a text", "/response/response/checklist/-", {
          text: "Packed",
          done: "yes",
        }),
        ...{ from: "with-checklist", at: "/response/response/checklist/2", level: "SHOULD" },
      },
    ],
    disputed: [
      {
        ...without(
          "bare-response",
          "holds neither comment nor checklist",
          "with-comment",
          "/response/response/comment",
        ),
        readings: [
          { verdict: "valid", by: ["position"], why: "without it nothing says who completed the task, and when" },
          {
            verdict: "invalid",
            by: ["specification §6"],
            why: "a task has a response only for a comment or a checklist",
          },
        ],
      },
    ],
  },
  {
    rule: "AHCP-RSP-009",
    document: "response",
    valid: [
      { name: "completed", says: "is a completed task's, with a comment", data: completed },
      {
        name: "expired-with-value",
        says: "has a value, and may be an ask's",
        edge: true,
        data: response("expired", by("system:default_on_expire", { value: "x" }), { defaulted: true }),
      },
    ],
    invalid: [
      adds("completed-with-value", "is a value, and what is completed is a task", "/response/value", "done"),
      {
        name: "dismissed-with-value",
        says: "has a value, and what is dismissed is a task",
        at: "/response/value",
        change: [
          { op: "replace", path: "/resolution", value: "dismissed" },
          { op: "add", path: "/response/value", value: "no" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-RSP-013",
    document: "outcome",
    valid: [
      {
        name: "every-kind",
        says: "is the state that was submitted: nothing, no, zero and empty ones, and letters composed both ways",
        at: "/response/state",
        data: outcome({ ...select, state }, { ...answered("rye"), state }),
      },
      {
        name: "of-a-task",
        says: "is the empty state that was submitted",
        at: "/response/state",
        edge: true,
        data: outcome({ ...task, state: {} }, { ...completed, state: {} }),
      },
      { name: "none", says: "has no state, as the message", at: "/response", data: outcome(select, declined) },
    ],
    invalid: [
      without("lost", "does not bring back the state", "every-kind", "/response/state"),
      without("empty-lost", "does not bring back the empty state", "of-a-task", "/response/state"),
      without("null-dropped", "lacks the member that is null", "every-kind", "/response/state/nothing"),
      without("empty-list-dropped", "lacks the empty list", "every-kind", "/response/state/list"),
      adds("composed-otherwise", "is composed otherwise", "/response/state/e\u0301", "e\u0301"),
      adds("zero-as-text", "is a text instead of a number", "/response/state/none", "0"),
      adds("from-nowhere", "was never submitted", "/response/state", {}, "none"),
    ],
  },
  {
    rule: "AHCP-RSP-014",
    document: "outcome",
    valid: [
      { name: "same-ids", says: "names message, agent and run", at: "/response", data: outcome(select, declined) },
      {
        name: "with-runtime",
        says: "names the agent with more than it needs",
        at: "/response/agent",
        edge: true,
        data: outcome(select, { ...declined, agent: select.agent as JsonObject }),
      },
    ],
    invalid: [
      adds("other-message", "is another message's id", "/response/in_reply_to", "msg_7f2"),
      adds("key-for-id", "is the key of the message instead of its id", "/response/in_reply_to", "k-select"),
      adds("other-agent", "is another agent", "/response/agent/id", "Oven-watch"),
      adds("other-run", "is another run", "/response/agent/run_id", "run-1"),
    ],
  },
  {
    rule: "AHCP-RSP-017",
    document: "response",
    valid: [
      { name: "plain", says: "carries nothing of its signature", data: answered("rye") },
      {
        name: "in-state",
        says: "is in the state, which is the agent's own",
        at: "/state/payload_sha256",
        edge: true,
        data: { ...answered("rye"), state: { payload_sha256: "ab", signature: "" } },
      },
    ],
    invalid: [
      adds("digest", "is the signed digest", "/payload_sha256", "00".repeat(32)),
      adds("null-digest", "is there, although null", "/payload_sha256", null),
      adds("inner-digest", "is the signed digest", "/response/payload_sha256", "00".repeat(32)),
      { ...adds("signature", "is the signature", "/signature", "t=1,jti=a,v1=b"), level: "SHOULD" },
      { ...adds("inner-signature", "is the signature", "/response/signature", ""), level: "SHOULD" },
      { ...adds("context", "is what was signed", "/signed_context", {}), level: "SHOULD" },
    ],
  },
];
