import { expect, it } from "vitest";
import type { Vector } from "../../schemas/index.ts";
import { rules, violated } from "../results/sample.fixture.ts";
import { failureOf } from "./failure.ts";

it("says of an assertion that no rule names where it stands, and of a rule what it demands", () => {
  const failed = [{ result: violated("sample/1.0/note/invalid/title"), vector: {} as Vector }];
  const place = "note.schema.json:6:47 #/properties/title/minLength";
  expect(failureOf(failed, 2, undefined, place).message).toMatch(`1 of 2 vectors failed: ${place}\n`);
  expect(failureOf(failed, 2, rules[0], place).message).toMatch(
    /^1 of 2 vectors failed: S-1 MUST, clause 4.2: A title/,
  );
  expect(failureOf(failed, 2, undefined).message).toMatch(/^1 of 2 vectors failed\n/);
});
