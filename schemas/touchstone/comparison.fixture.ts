import { formatAddress } from "../format.ts";
import type { JsonObject } from "../json.ts";

// For tests: a small value that uses every member of the format.

const schema = "https://example.org/note.schema.json";
const location = `${schema}#/properties/title/maxLength`;

export const comparison: JsonObject = {
  $schema: formatAddress("compare"),
  touchstone: "0.1.0",
  old: "old/note.schema.json",
  new: "note.schema.json",
  for: "both",
  documents: [
    {
      name: "note",
      state: "differs",
      differences: [
        {
          change: "refused",
          breaks: "producers",
          message: { title: "abcd" },
          at: "/title",
          asserts: "maxLength 3",
          beside: "maxLength 4",
          others: [{ title: "abcde" }],
          also: [`${schema}#/not`],
          old: { location, file: "old/note.schema.json", line: 1, column: 2 },
          new: { location },
          disputed: "old: valid by ajv; new: invalid by hyperjump",
        },
      ],
      open: { accepted: "the time was over" },
    },
    { name: "receipt", state: "added", differences: [], open: {} },
  ],
  exitCode: 1,
};

const set = { name: "notes", version: "1.0.0", digest: `sha256-${"A".repeat(43)}=`, count: 4 };
const stem = "notes/1.0/note/valid";

export const setComparison: JsonObject = {
  $schema: formatAddress("set-comparison"),
  touchstone: "0.1.0",
  old: set,
  new: { ...set, version: "2.0.0" },
  added: [`${stem}/a`],
  gone: [{ id: `${stem}/b`, now: `${stem}/a` }, { id: `${stem}/c` }],
  renamed: [{ from: `${stem}/d`, to: `${stem}/e` }],
  verdict: [{ id: `${stem}/f`, old: "valid", new: "disputed" }],
  level: [{ id: `${stem}/f`, old: "MUST", new: "SHOULD" }],
  message: [`${stem}/g`],
  other: [],
  needs: "MAJOR",
  moves: "MAJOR",
  exitCode: 1,
};
