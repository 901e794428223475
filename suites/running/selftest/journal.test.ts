import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openJournal } from "./journal.ts";

const newJournalPath = (): string => join(mkdtempSync(join(tmpdir(), "touchstone-")), "journal.jsonl");

it("continues after the last complete line, and drops a line that was cut off", () => {
  const path = newJournalPath();
  const firstJournal = openJournal<number>(path, { of: "a" });
  firstJournal.add("one", 1);
  firstJournal.add("two", 2);
  appendFileSync(path, '{"name":"thr');
  const secondJournal = openJournal<number>(path, { of: "a" });
  expect([...secondJournal.known]).toEqual([
    ["one", 1],
    ["two", 2],
  ]);
  secondJournal.add("three", 3);
  expect([...openJournal<number>(path, { of: "a" }).known.keys()]).toEqual(["one", "two", "three"]);
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(5);
});

it("refuses a journal of a different self-test", () => {
  const path = newJournalPath();
  openJournal<number>(path, { of: "a" });
  expect(() => openJournal<number>(path, { of: "b" })).toThrow(/the journal belongs to another self-test/);
});

it("keeps results in memory if there is no file", () => {
  const journal = openJournal<number>(undefined, { of: "a" });
  journal.add("one", 1);
  expect(journal.known.get("one")).toBe(1);
});
