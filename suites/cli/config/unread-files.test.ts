import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { TouchstoneError } from "../../../schemas/index.ts";
import { readConfig } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ["yaml", "target:\n  headers:\n    Authorization: *s3cret-t0ken\n"],
  ["yaml", "target:\n  headers:\n    Authorization: !s3cret-t0ken x\n"],
  ["yaml", "target:\n  headers:\n    Authorization: !!s3cret-t0ken x\n"],
  ["yaml", "target:\n  headers:\n    Authorization: &s3cret-t0ken\n    Other: *s3cret-t0ke\n"],
  ["yaml", "target:\n  headers:\n    Authorization: @s3cret-t0ken\n"],
  ["yaml", 'target:\n  headers:\n    Authorization: "s3cret-t0ken\n'],
  ["yaml", "target:\n  headers:\n    Authorization: `s3cret-t0ken\n"],
  ["yaml", "target:\n  headers:\n    Authorization: %s3cret-t0ken\n"],
  ["yaml", "target:\n  headers: {Authorization: [s3cret-t0ken}\n"],
  ["yaml", "target:\n  headers:\n    s3cret-t0ken: a\n    s3cret-t0ken: b\n"],
  ["yaml", "target:\n  headers:\n    Authorization: a: s3cret-t0ken\n"],
  ["yaml", "%TAG ! s3cret-t0ken\n---\na: 1\n"],
  ["json", '{"target":{"headers":{"Authorization":s3cret-t0ken}}}'],
  ["json", '{"target":{"headers":{"Authorization":"s3cret-t0ken}}}'],
  ["json", '{"target":{"headers":{"Authorization":\'s3cret-t0ken\'}}}'],
  ["json", '{"s3cret-t0ken":1,"s3cret-t0ken":2}'],
  ["json", '{"target":{"headers":{"Authorization":"s3cret\\q-t0ken"}}}'],
])("never quotes an unreadable %s configuration: %j", async (extension, text) => {
  const file = join(folder, `touchstone.config.${extension}`);
  writeFileSync(file, text);
  const error = await readConfig(file, {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TouchstoneError);
  const { what, where = "", hint = "", message } = error as TouchstoneError;
  for (const part of ["s3cret", "t0ken", "s3cret-t0ken"])
    expect(`${what} ${where} ${hint} ${message}`).not.toContain(part);
  expect(where).toMatch(/touchstone\.config\.\w+(:\d+:\d+|.*#)/);
});
