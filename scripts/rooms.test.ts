import { expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { importSentence, importsBetweenRooms, roomComplaints, rooms } from "./rooms.ts";
import { readTree } from "./tree.ts";

const readmes = Object.entries(rooms).map(([room, others]): [string, string] => [
  `suites/${room}/README.md`,
  `# ${room}\n\n${importSentence(others)}\n`,
]);
const complaintsAbout = (files: Record<string, string>): string[] =>
  roomComplaints(new Map([...readmes, ...Object.entries(files)]));

it("the table lists exactly the existing imports", () => {
  expect(importsBetweenRooms(readTree(home))).toEqual(rooms);
});

it("reports an import of a room outside the table, except in tests", () => {
  const text = 'import { a } from "../../cli/a.ts";\n';
  expect(complaintsAbout({ "suites/base/text/b.ts": text, "suites/cli/a.ts": "" })).toEqual([
    "suites/base/text/b.ts imports suites/cli/a.ts: base may import no other room",
  ]);
  expect(complaintsAbout({ "suites/base/text/b.test.ts": text, "suites/cli/a.ts": "" })).toEqual([]);
  expect(
    complaintsAbout({ "suites/cli/a.ts": 'import { b } from "../index.ts";\n', "suites/index.ts": "" }),
  ).toHaveLength(1);
});

it("the entry may import the same rooms as api", () => {
  const files = { "suites/index.ts": 'export { a } from "./running/a.ts";\n', "suites/running/a.ts": "" };
  expect(complaintsAbout(files)).toEqual([]);
});

it("reports a folder that is not a room", () => {
  expect(complaintsAbout({ "suites/kitchen/a.ts": "" })).toEqual(["suites/kitchen is not a room"]);
});

it("reports a README that is missing, long, or contradicts the table", () => {
  expect(roomComplaints(new Map()).slice(0, 2)).toEqual([
    "suites/base/README.md is missing",
    "suites/packs/README.md is missing",
  ]);
  const sentence = importSentence(rooms.base ?? []);
  expect(complaintsAbout({ "suites/base/README.md": `# base\n\n${sentence}\n${"\n".repeat(60)}` })).toEqual([
    "suites/base/README.md has 63 lines, more than a screen (50)",
  ]);
  expect(complaintsAbout({ "suites/base/README.md": "# base\n\n**May import** `cli`.\n" })).toEqual([
    `suites/base/README.md lacks the line "${sentence}"`,
  ]);
});
