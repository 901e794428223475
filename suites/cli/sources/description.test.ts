import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { originsFile } from "../../../schemas/index.ts";
import { resolvePack } from "./description.ts";

const folder = mkdtempSync(join(tmpdir(), "description-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the output of a command that names the folder as its pack. */
async function outputFor(operations?: string[]): Promise<string> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await resolvePack(folder, { operations })).toBe(folder);
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

it("reports the untested parts of the selected operations", async () => {
  const notes = ["whether bodies of other media types are refused is not tested: add", "webhooks are not tested: made"];
  writeFileSync(join(folder, originsFile), JSON.stringify({ notes }));
  expect(await outputFor()).toBe(`${notes.join("\n")}\n`);
  expect(await outputFor(["add"])).toBe(`${notes[0]}\n`);
});

it("ignores an origins file that is not JSON", async () => {
  writeFileSync(join(folder, originsFile), "no JSON");
  expect(await outputFor()).toBe("");
});
