import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readPack } from "./pack/read.ts";
import { readParts, readWhole } from "./whole-file.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const codeOf = (file: string, most?: number): string => {
  try {
    return `read ${readWhole(file, most).length}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
};

it("reads a regular file, and checks its size first", () => {
  writeFileSync(at("a"), "abc");
  writeFileSync(at("empty"), "");
  symlinkSync("a", at("link"));
  expect([codeOf(at("a")), codeOf(at("empty")), codeOf(at("link"))]).toEqual(["read 3", "read 0", "read 3"]);
  expect([codeOf(at("absent")), codeOf(folder), codeOf(at("a"), 2)]).toEqual(["ENOENT", "EISDIR", "EFBIG"]);
  writeFileSync(at("sparse"), "");
  truncateSync(at("sparse"), 2 ** 40);
  expect(codeOf(at("sparse"))).toBe("EFBIG");
});

it("reads a file of any size in parts", () => {
  writeFileSync(at("parts"), Buffer.alloc(2 ** 21 + 3, "a"));
  let size = 0;
  readParts(at("parts"), ({ length }) => (size += length));
  expect(size).toBe(2 ** 21 + 3);
  expect(() => readParts(folder, () => {})).toThrow(/a folder/);
});

it.skipIf(process.platform === "win32")("refuses endless files, also through links", () => {
  for (const [name, to] of Object.entries({
    zero: "/dev/zero",
    random: "/dev/urandom",
    full: "/dev/full",
    tty: "/dev/null",
  })) {
    symlinkSync(to, at(name));
    expect([name, codeOf(at(name))]).toEqual([name, "ESPECIAL"]);
  }
  execFileSync("mkfifo", [at("pipe")]);
  expect(codeOf(at("pipe"))).toBe("ESPECIAL");
  if (existsSync("/proc/self/status")) expect(codeOf("/proc/self/status")).toMatch(/^read [1-9]/);
});

it.skipIf(process.platform === "win32")("follows no link out of a pack, and reads no device as a part of one", () => {
  mkdirSync(at("pack/schemas"), { recursive: true });
  mkdirSync(at("pack/own"));
  writeFileSync(at("outside.schema.json"), '{"type":"object"}');
  writeFileSync(at("pack/own/in.schema.json"), '{"type":"object"}');
  writeFileSync(at("pack/profile.json"), '{"protocol":"p","documents":[{"file":"schemas/a.schema.json"}]}');
  symlinkSync("../own/in.schema.json", at("pack/schemas/a.schema.json"));
  expect(readPack(at("pack")).name).toBe("p");
  for (const to of ["../../outside.schema.json", at("outside.schema.json")]) {
    rmSync(at("pack/schemas/a.schema.json"));
    symlinkSync(to, at("pack/schemas/a.schema.json"));
    expect(() => readPack(at("pack"))).toThrow(/a link out of the pack, which is not followed/);
  }
  rmSync(at("pack/schemas/a.schema.json"));
  symlinkSync("/dev/zero", at("pack/schemas/a.schema.json"));
  expect(() => readPack(at("pack"))).toThrow(/a link out of the pack/);
  writeFileSync(at("pack/schemas/b.json"), "{}");
  symlinkSync("../../outside.schema.json", at("pack/schemas/c.schema.json"));
  rmSync(at("pack/schemas/a.schema.json"));
  writeFileSync(at("pack/schemas/a.schema.json"), '{"$ref":"c.schema.json"}');
  expect(() => readPack(at("pack"))).toThrow(/a link out of the pack/);
});
