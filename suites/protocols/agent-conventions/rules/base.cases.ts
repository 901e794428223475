import type { Cases, Json } from "../../../../schemas/index.ts";
import { acknowledgment, assignment, cue, escalation, report, status } from "./messages.ts";
import { timeCases } from "./time.cases.ts";

const text = (message: Json): string => JSON.stringify(message);

export const baseCases: readonly Cases[] = [
  {
    rule: "CONV-BASE-006",
    document: "message",
    valid: [
      { name: "task", data: assignment(), says: "is of the category task" },
      { name: "status", data: status("ready"), says: "is of the category status" },
      {
        name: "coord",
        data: cue("warning"),
        says: "is of the category coord, whose schema is called coordination",
        edge: true,
      },
      { name: "escalation", data: escalation("error", "resource"), says: "is of the category escalation" },
      {
        name: "ack",
        data: acknowledgment("received"),
        says: "is of the category ack, whose schema is called acknowledgment",
        edge: true,
      },
    ],
    invalid: [
      ...(
        [
          ["broadcast", "broadcast.notice", "names a category that there is not"],
          ["long-name", "coordination.warning", "names the schema instead of the category"],
          ["other-long-name", "acknowledgment.received", "names the schema instead of the category"],
          ["no-dot", "taskassignment", "has no dot"],
          ["only-category", "task", "has no dot"],
          ["only-dot", ".", "has nothing ahead of the dot"],
          ["leading-dot", ".task.assignment", "has nothing ahead of the first dot"],
          ["other-case", "Task.assignment", "has a capital letter in the category"],
          ["space", " task.assignment", "has a space ahead of the category"],
          ["member-of-objects", "constructor.assignment", "names what every JavaScript object has, and no category"],
        ] as const
      ).map(([name, value, says]) => ({
        name,
        says,
        change: [{ op: "replace" as const, path: "/message_type", value }],
      })),
      { name: "number", says: "is a number", change: [{ op: "replace", path: "/message_type", value: 7 }] },
      {
        name: "list",
        says: "is a list",
        change: [{ op: "replace", path: "/message_type", value: ["task.assignment"] }],
      },
    ],
  },
  {
    rule: "CONV-BASE-008",
    document: "task",
    permits: true,
    valid: [
      {
        name: "in-task",
        data: assignment({ task: { description: "Write it.", foo: 1 } }),
        at: "/task/foo",
        says: "is a member that the schema does not know, in an open object",
        edge: true,
      },
      {
        name: "in-progress",
        data: report("update", { progress: { mood: null } }),
        at: "/progress/mood",
        says: "is a member that the schema does not know, in an open object",
      },
      {
        name: "in-resource",
        data: assignment({
          task: { description: "Call it.", resources: [{ type: "api", path: "/v1/users", endpoint: "users" }] },
        }),
        at: "/task/resources/0/endpoint",
        says: "is a member that the schema does not know, in an open object of a list",
      },
    ],
    invalid: [],
  },
  {
    rule: "CONV-BASE-008",
    document: "status",
    permits: true,
    valid: [
      {
        name: "in-context",
        data: status("ready", { context: { colour: "green" } }),
        at: "/context/colour",
        says: "is a member that the schema does not know, in an open object",
        edge: true,
      },
    ],
    invalid: [],
  },
  {
    rule: "CONV-BASE-009",
    document: "task",
    valid: [
      { name: "version-4", data: assignment(), at: "/message_id", says: "is a UUID of version 4" },
      {
        name: "capitals",
        data: assignment({ message_id: "6513270E-269E-4D37-B2A7-4DE452E6B438" }),
        at: "/message_id",
        says: "is written in capitals",
        edge: true,
      },
      ...["8", "9", "a", "b"].map((variant) => ({
        name: `variant-${variant}`,
        data: assignment({ message_id: `6513270e-269e-4d37-${variant}2a7-4de452e6b438` }),
        at: "/message_id",
        says: `has the variant ${variant}`,
      })),
    ],
    invalid: [
      ...["1", "3", "5", "6", "7", "8"].map((version) => ({
        name: `version-${version}`,
        says: `is a UUID of version ${version}`,
        change: [
          { op: "replace" as const, path: "/message_id", value: `6513270e-269e-${version}d37-b2a7-4de452e6b438` },
        ],
      })),
      ...["7", "c"].map((variant) => ({
        name: `variant-${variant}`,
        says: `has the variant ${variant}`,
        change: [
          { op: "replace" as const, path: "/message_id", value: `6513270e-269e-4d37-${variant}2a7-4de452e6b438` },
        ],
      })),
      {
        name: "nil",
        says: "is the nil UUID",
        change: [{ op: "replace", path: "/message_id", value: "00000000-0000-0000-0000-000000000000" }],
      },
    ],
  },
  {
    rule: "CONV-BASE-010",
    document: "status",
    valid: [
      { name: "seconds", data: status("ready"), at: "/timestamp", says: "ends in Z" },
      {
        name: "fraction",
        data: status("ready", { timestamp: "2026-01-15T09:30:00.123456Z" }),
        at: "/timestamp",
        says: "has a fraction of six digits",
        edge: true,
      },
      {
        name: "leap-day",
        data: status("ready", { timestamp: "2024-02-29T23:59:59Z" }),
        at: "/timestamp",
        says: "is on a leap day",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "ahead-of-utc",
        says: "is two hours ahead of UTC",
        change: [{ op: "replace", path: "/timestamp", value: "2026-01-15T09:30:00+02:00" }],
      },
      {
        name: "behind-utc",
        says: "is five hours behind UTC",
        change: [{ op: "replace", path: "/timestamp", value: "2026-01-15T09:30:00-05:00" }],
      },
      {
        name: "a-minute-off",
        says: "is a minute off UTC",
        change: [{ op: "replace", path: "/timestamp", value: "2026-01-15T09:30:00+00:01" }],
      },
    ],
    disputed: ["2026-01-15T09:30:00+00:00", "2026-01-15T09:30:00-00:00", "2026-01-15T09:30:00z"].map(
      (value, index) => ({
        name: ["plus-zero", "minus-zero", "small-z"][index] as string,
        says: "is in UTC, and says so otherwise than by Z",
        change: [{ op: "replace" as const, path: "/timestamp", value }],
        readings: [
          { verdict: "valid" as const, by: ["position"], why: "the instant is in UTC" },
          { verdict: "invalid" as const, by: ["specification"], why: "a timestamp ends in Z" },
        ],
      }),
    ),
  },
  {
    rule: "CONV-BASE-012",
    document: "task",
    valid: [
      { name: "as-it-is", text: text(assignment()), at: "/task_id", says: "ends where its pattern ends" },
      {
        name: "line-feed-elsewhere",
        text: text(assignment({ task: { description: "Write it.\n" } })),
        at: "/task/description",
        says: "ends in a line feed, and no pattern binds it",
        edge: true,
      },
    ],
    invalid: (
      [
        ["task-id", "task_id", "CODE-100\n"],
        ["sender", "sender", "orchestrator-main\n"],
        ["recipient", "recipient", "broadcast\n"],
      ] as const
    ).map(([name, key, value]) => ({
      name,
      text: text(assignment({ [key]: value })),
      at: `/${key}`,
      says: "matches but for a line feed at its end",
      edge: true as const,
    })),
  },
  {
    rule: "CONV-BASE-015",
    document: "task",
    valid: [
      { name: "to-all", data: assignment({ recipient: "broadcast" }), at: "/recipient", says: "is broadcast" },
      {
        name: "broadcaster",
        data: assignment({ sender: "broadcast-1" }),
        at: "/sender",
        says: "only begins with broadcast",
        edge: true,
      },
    ],
    invalid: [
      { name: "from-all", says: "is broadcast", change: [{ op: "replace", path: "/sender", value: "broadcast" }] },
      {
        name: "from-all-to-one",
        from: "broadcaster",
        says: "is broadcast",
        change: [{ op: "replace", path: "/sender", value: "broadcast" }],
      },
    ],
  },
  {
    rule: "CONV-BASE-016",
    document: "escalation",
    valid: [
      { name: "to-one", data: escalation("error", "resource"), at: "/recipient", says: "is one agent" },
      {
        name: "to-a-broadcaster",
        data: escalation("error", "resource", { recipient: "broadcast-hub" }),
        at: "/recipient",
        says: "only begins with broadcast",
        edge: true,
      },
    ],
    invalid: [
      { name: "to-all", says: "is broadcast", change: [{ op: "replace", path: "/recipient", value: "broadcast" }] },
    ],
  },
  {
    rule: "CONV-BASE-016",
    document: "acknowledgment",
    valid: [{ name: "to-one", data: acknowledgment("received"), at: "/recipient", says: "is one agent" }],
    invalid: [
      { name: "to-all", says: "is broadcast", change: [{ op: "replace", path: "/recipient", value: "broadcast" }] },
    ],
  },
  ...timeCases,
];
