import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readTextFile } from "./file-text.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-read-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeAndRead(name: string, text: string): Promise<unknown> {
  const file = join(folder, name);
  writeFileSync(file, text);
  return readTextFile(file);
}

const conflict = '<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> theirs\n';

it.each([
  ["list.json", `{\n${conflict}}\n`],
  ["list.yaml", "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n"],
])("reports an unresolved conflict in %s, with its line", async (name, text) => {
  await expect(writeAndRead(name, text)).rejects.toMatchObject({
    message: expect.stringContaining("a merge conflict is not resolved"),
    where: `${join(folder, name)}:2`,
  });
});

it("reports another syntax error at its own position, and accepts conflict markers inside a string", async () => {
  await expect(writeAndRead("list.json", "{\n<\n}")).rejects.toMatchObject({ where: expect.stringMatching(/:2:1$/) });
  await expect(writeAndRead("list.json", `{ "a": ${JSON.stringify(conflict)} }`)).resolves.toBeDefined();
});
