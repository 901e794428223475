import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { originsFile } from "../../../schemas/index.ts";
import { withPack } from "./description.ts";

const folder = mkdtempSync(join(tmpdir(), "description-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The message when the pack in a folder is named. */
async function saidOf(operations?: string[]): Promise<string> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await withPack(folder, { operations })).toBe(folder);
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

it("reports the untested parts of the selected operations", async () => {
  const notes = ["whether bodies of other media types are refused is not tested: add", "webhooks are not tested: made"];
  writeFileSync(join(folder, originsFile), JSON.stringify({ notes }));
  expect(await saidOf()).toBe(`${notes.join("\n")}\n`);
  expect(await saidOf(["add"])).toBe(`${notes[0]}\n`);
});

it("ignores an unrelated file with the name of a pack", async () => {
  writeFileSync(join(folder, originsFile), "no JSON");
  expect(await saidOf()).toBe("");
});
