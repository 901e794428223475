import type { Cases } from "../../../../schemas/index.ts";
import { asking, notify, options, select } from "./messages.ts";

const text = { kind: "text", text: "Core temperature 97 °C." };

export const authoringCases: Cases[] = [
  {
    rule: "AHCP-VER-008",
    document: "message",
    valid: [
      { name: "own-version", says: "states version 0.3", at: "/ahcp_version", data: notify },
      {
        name: "version-elsewhere",
        says: "states version 0.3, and another in a place of its own",
        edge: true,
        data: { ...notify, state: { ahcp_version: "0.4" } },
      },
    ],
    invalid: [
      {
        name: "next-minor",
        says: "is the next minor version",
        change: [{ op: "replace", path: "/ahcp_version", value: "0.4" }],
      },
      {
        name: "more-digits",
        says: "begins with 0.3 and goes on",
        change: [{ op: "replace", path: "/ahcp_version", value: "0.30" }],
      },
      {
        name: "previous-minor",
        says: "is the minor version before",
        change: [{ op: "replace", path: "/ahcp_version", value: "0.2" }],
      },
    ],
  },
  {
    rule: "AHCP-ENV-008",
    document: "message",
    valid: [
      { name: "one-line", says: "is one line", at: "/title", data: notify },
      {
        name: "tabs-and-spaces",
        says: "has spaces and a tab around one letter",
        at: "/title",
        edge: true,
        data: { ...notify, title: " \t\u00a0x " },
      },
      {
        name: "escaped-break",
        says: "spells a line break as backslash and letter",
        at: "/title",
        data: { ...notify, title: "Batch 1\\nBatch 2" },
      },
    ],
    invalid: [
      ...[
        ["line-feed", "\n"],
        ["carriage-return", "\r"],
        ["next-line", "\u0085"],
        ["line-separator", "\u2028"],
        ["paragraph-separator", "\u2029"],
      ].map(([name, end]) => ({
        name: name as string,
        says: `is broken by a ${name?.replace("-", " ")}`,
        change: [{ op: "replace" as const, path: "/title", value: `First batch${end}Second batch` }],
      })),
      {
        name: "final-line-feed",
        says: "ends with a line feed",
        change: [{ op: "replace", path: "/title", value: "First batch\n" }],
      },
      { name: "blank", says: "is a space", change: [{ op: "replace", path: "/title", value: " " }] },
      {
        name: "blank-beyond-ascii",
        says: "is a no-break and an ideographic space",
        change: [{ op: "replace", path: "/title", value: "\u00a0\u3000" }],
      },
    ],
  },
  {
    rule: "AHCP-PRT-006",
    document: "message",
    valid: [
      { name: "text-alone", says: "has a text Part", at: "/context", data: { ...notify, context: [text] } },
      {
        name: "each-kind",
        says: "has a Part of each kind",
        at: "/context",
        data: {
          ...notify,
          context: [
            text,
            { kind: "data", data: { text: "inside" } },
            { kind: "file", file: { uri: "https://bakery.example/oven.csv" } },
          ],
        },
      },
      {
        name: "other-member",
        says: "has a member that is no other kind's content, and another kind's name in its metadata",
        at: "/context/0",
        edge: true,
        data: { ...notify, context: [{ ...text, Data: {}, note: 1, metadata: { data: {}, file: {} } }] },
      },
    ],
    invalid: [
      {
        name: "data-on-text",
        says: "is the content of a data Part, on a text Part",
        change: [{ op: "add", path: "/context/0/data", value: {} }],
      },
      {
        name: "null-file-on-text",
        says: "is the content of a file Part, and null",
        change: [{ op: "add", path: "/context/0/file", value: null }],
      },
      {
        name: "text-on-data",
        from: "each-kind",
        says: "is the content of a text Part, on a data Part",
        change: [{ op: "add", path: "/context/1/text", value: "also" }],
      },
      {
        name: "data-on-last",
        from: "each-kind",
        says: "is the content of a data Part, on a file Part in the last place",
        change: [{ op: "add", path: "/context/2/data", value: { rows: 3 } }],
      },
    ],
  },
  {
    rule: "AHCP-ASK-018",
    document: "message",
    valid: [
      { name: "distinct", says: "have values of their own", at: "/request/options", data: select },
      {
        name: "nearly-equal",
        says: "differ in case, spaces, and composition only",
        at: "/request/options",
        edge: true,
        data: asking(select, { options: options("rye", "Rye", "rye ", "caf\u00e9", "cafe\u0301", "1", "01") }),
      },
      {
        name: "equal-labels",
        says: "share a label and no value",
        at: "/request/options",
        data: asking(select, {
          options: [
            { value: "a", label: "Bread" },
            { value: "b", label: "Bread" },
          ],
        }),
      },
    ],
    invalid: [
      {
        name: "neighbours",
        says: "is the value of the option before it",
        change: [{ op: "replace", path: "/request/options/1/value", value: "rye" }],
      },
      {
        name: "first-and-last",
        from: "nearly-equal",
        says: "is the value of the first option, far apart",
        change: [{ op: "replace", path: "/request/options/6/value", value: "rye" }],
      },
      {
        name: "empty-values",
        says: "are both empty",
        at: "/request/options",
        change: [{ op: "replace", path: "/request/options", value: options("", "") }],
      },
    ],
  },
];
