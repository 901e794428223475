import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openJournal } from "./journal.ts";

const file = (): string => join(mkdtempSync(join(tmpdir(), "touchstone-")), "journal.jsonl");

it("continues where it was stopped, without a line that was cut off", () => {
  const path = file();
  const first = openJournal<number>(path, { of: "a" });
  first.add("one", 1);
  first.add("two", 2);
  appendFileSync(path, '{"name":"thr');
  const second = openJournal<number>(path, { of: "a" });
  expect([...second.known]).toEqual([
    ["one", 1],
    ["two", 2],
  ]);
  second.add("three", 3);
  expect([...openJournal<number>(path, { of: "a" }).known.keys()]).toEqual(["one", "two", "three"]);
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(5);
});

it("refuses a journal of another self-test", () => {
  const path = file();
  openJournal<number>(path, { of: "a" });
  expect(() => openJournal<number>(path, { of: "b" })).toThrow(/the journal belongs to another self-test/);
});

it("remembers without a file for as long as the process runs", () => {
  const journal = openJournal<number>(undefined, { of: "a" });
  journal.add("one", 1);
  expect(journal.known.get("one")).toBe(1);
});
