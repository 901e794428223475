import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readPack } from "./pack/read.ts";
import { readParts, readWhole } from "./whole-file.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const pathOf = (name: string): string => join(folder, name);
const codeOf = (file: string, maxBytes?: number): string => {
  try {
    return `read ${readWhole(file, maxBytes).length}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
};

it("reads a regular file, and checks its size first", () => {
  writeFileSync(pathOf("a"), "abc");
  writeFileSync(pathOf("empty"), "");
  symlinkSync("a", pathOf("link"));
  expect([codeOf(pathOf("a")), codeOf(pathOf("empty")), codeOf(pathOf("link"))]).toEqual([
    "read 3",
    "read 0",
    "read 3",
  ]);
  expect([codeOf(pathOf("absent")), codeOf(folder), codeOf(pathOf("a"), 2)]).toEqual(["ENOENT", "EISDIR", "EFBIG"]);
  writeFileSync(pathOf("sparse"), "");
  truncateSync(pathOf("sparse"), 2 ** 40);
  expect(codeOf(pathOf("sparse"))).toBe("EFBIG");
});

it("reads a file of any size in parts", () => {
  writeFileSync(pathOf("parts"), Buffer.alloc(2 ** 21 + 3, "a"));
  let size = 0;
  readParts(pathOf("parts"), ({ length }) => (size += length));
  expect(size).toBe(2 ** 21 + 3);
  expect(() => readParts(folder, () => {})).toThrow(/a folder/);
});

it.skipIf(process.platform === "win32")("refuses endless files, even through links", () => {
  for (const [name, to] of Object.entries({
    zero: "/dev/zero",
    random: "/dev/urandom",
    full: "/dev/full",
    tty: "/dev/null",
  })) {
    symlinkSync(to, pathOf(name));
    expect([name, codeOf(pathOf(name))]).toEqual([name, "ESPECIAL"]);
  }
  execFileSync("mkfifo", [pathOf("pipe")]);
  expect(codeOf(pathOf("pipe"))).toBe("ESPECIAL");
  if (existsSync("/proc/self/status")) expect(codeOf("/proc/self/status")).toMatch(/^read [1-9]/);
});

it.skipIf(process.platform === "win32")(
  "does not follow a link out of a pack, or read a device as a file of the pack",
  () => {
    mkdirSync(pathOf("pack/schemas"), { recursive: true });
    mkdirSync(pathOf("pack/own"));
    writeFileSync(pathOf("outside.schema.json"), '{"type":"object"}');
    writeFileSync(pathOf("pack/own/in.schema.json"), '{"type":"object"}');
    writeFileSync(pathOf("pack/profile.json"), '{"protocol":"p","documents":[{"file":"schemas/a.schema.json"}]}');
    symlinkSync("../own/in.schema.json", pathOf("pack/schemas/a.schema.json"));
    expect(readPack(pathOf("pack")).name).toBe("p");
    for (const to of ["../../outside.schema.json", pathOf("outside.schema.json")]) {
      rmSync(pathOf("pack/schemas/a.schema.json"));
      symlinkSync(to, pathOf("pack/schemas/a.schema.json"));
      expect(() => readPack(pathOf("pack"))).toThrow(/a link out of the pack, which is not followed/);
    }
    rmSync(pathOf("pack/schemas/a.schema.json"));
    symlinkSync("/dev/zero", pathOf("pack/schemas/a.schema.json"));
    expect(() => readPack(pathOf("pack"))).toThrow(/a link out of the pack/);
    writeFileSync(pathOf("pack/schemas/b.json"), "{}");
    symlinkSync("../../outside.schema.json", pathOf("pack/schemas/c.schema.json"));
    rmSync(pathOf("pack/schemas/a.schema.json"));
    writeFileSync(pathOf("pack/schemas/a.schema.json"), '{"$ref":"c.schema.json"}');
    expect(() => readPack(pathOf("pack"))).toThrow(/a link out of the pack/);
  },
);
