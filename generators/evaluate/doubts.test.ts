import { expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { doubtIn } from "./doubts.ts";

const $id = "https://doubtful.test/a";
const schema = {
  $id,
  properties: {
    site: { format: "uri" },
    none: { not: { format: "uri" } },
    either: { anyOf: [{ format: "uri" }, { type: "string", maxLength: 9 }] },
    born: { type: "string", format: "date" },
  },
};

it.each<[Json, RegExp | undefined]>([
  [{ site: "https://" }, /asks for a host/],
  [{ born: "0000-01-01" }, /year 0/],
  // A reader that does not accept it as a URI gives the opposite verdict.
  [{ none: "https://" }, /asks for a host/],
  // The other branch always accepts it.
  [{ either: "https://" }, undefined],
  [{ site: "https://a/" }, undefined],
  // Always refused for another reason.
  [{ site: "https://", born: 1 }, undefined],
])("doubtIn reports an instance whose verdict depends on a doubtful format: %j", async (instance, why) => {
  const doubt = doubtIn(await compileModel([schema], $id), instance);
  if (why === undefined) expect(doubt).toBeUndefined();
  else expect(doubt).toMatch(why);
});

it("doubtIn reports nothing for a schema without formats", async () => {
  expect(doubtIn(await compileModel([{ $id, type: "string" }], $id), "https://")).toBeUndefined();
});

it.each<[Json, boolean]>([
  ["D\u{13442}", true],
  ["\u{13442}", true],
  [{ "\u{13442}": [] }, true],
  ["D\u{10400}漢", false],
])("doubtIn reports a character that older Unicode tables lack: %j, %s", async (instance, isDoubtful) => {
  const classes = await compileModel([{ $id, pattern: "^D\\p{L}" }], $id);
  expect(doubtIn(classes, instance)).toEqual(isDoubtful ? expect.stringMatching(/newer than Unicode 10/) : undefined);
  expect(doubtIn(await compileModel([{ $id, pattern: "^D" }], $id), instance)).toBeUndefined();
});
