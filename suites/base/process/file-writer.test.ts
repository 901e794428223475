import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeWhole } from "./file-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string): string => join(folder, name);

it.skipIf(process.platform === "win32")("replaces a link, and leaves its target alone", () => {
  writeFileSync(inFolder("real.txt"), "old");
  symlinkSync("real.txt", inFolder("link.txt"));
  symlinkSync(inFolder("link.txt"), inFolder("far.txt"));
  writeWhole(inFolder("far.txt"), "new");
  expect([readFileSync(inFolder("real.txt"), "utf8"), readFileSync(inFolder("far.txt"), "utf8")]).toEqual([
    "old",
    "new",
  ]);
  expect([readlinkSync(inFolder("link.txt")), lstatSync(inFolder("far.txt")).isFile()]).toEqual(["real.txt", true]);
});

it.skipIf(process.platform === "win32")("writes through a link to a device", () => {
  symlinkSync("/dev/null", inFolder("device"));
  writeWhole(inFolder("device"), "gone");
  expect([readlinkSync(inFolder("device")), lstatSync("/dev/null").isCharacterDevice()]).toEqual(["/dev/null", true]);
});

it.skipIf(process.platform !== "linux")(
  "appends to a descriptor that is open on a plain file, even through a link such as /dev/stderr",
  () => {
    const open = openSync(inFolder("errors.txt"), "a");
    writeSync(open, "before\n");
    symlinkSync(`/proc/self/fd/${open}`, inFolder("stderr"));
    writeWhole(inFolder("stderr"), "report\n");
    writeSync(open, "after\n");
    closeSync(open);
    expect(readFileSync(inFolder("errors.txt"), "utf8")).toBe("before\nreport\nafter\n");
    expect(readlinkSync(inFolder("stderr"))).toBe(`/proc/self/fd/${open}`);
  },
);

it.skipIf(process.platform === "win32")("reports links that form a loop", () => {
  symlinkSync("round", inFolder("about"));
  symlinkSync("about", inFolder("round"));
  expect(() => writeWhole(inFolder("round"), "never")).toThrow("form a loop");
});
