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
import { identityOf, placeOf, writeWhole } from "./written.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string): string => join(folder, name);

it.skipIf(process.platform === "win32")("replaces the file behind links, and leaves the links", () => {
  writeFileSync(inFolder("real.txt"), "old", { mode: 0o640 });
  symlinkSync("real.txt", inFolder("link.txt"));
  symlinkSync(inFolder("link.txt"), inFolder("far.txt"));
  writeWhole(inFolder("far.txt"), "new");
  expect(readFileSync(inFolder("real.txt"), "utf8")).toBe("new");
  expect([readlinkSync(inFolder("link.txt")), readlinkSync(inFolder("far.txt"))]).toEqual([
    "real.txt",
    inFolder("link.txt"),
  ]);
  expect(lstatSync(inFolder("real.txt")).mode & 0o777).toBe(0o640);
  expect(identityOf(inFolder("far.txt"))).toBe(identityOf(inFolder("real.txt")));
  expect(placeOf(inFolder("far.txt"))).toEqual(placeOf(inFolder("real.txt")));
});

it.skipIf(process.platform === "win32")("makes the file to which a link leads where there is none", () => {
  symlinkSync("made.txt", inFolder("to-made.txt"));
  writeWhole(inFolder("to-made.txt"), "new");
  expect([readFileSync(inFolder("made.txt"), "utf8"), lstatSync(inFolder("to-made.txt")).isSymbolicLink()]).toEqual([
    "new",
    true,
  ]);
});

it.skipIf(process.platform === "win32")("writes through a link to a device", () => {
  symlinkSync("/dev/null", inFolder("device"));
  writeWhole(inFolder("device"), "gone");
  expect([readlinkSync(inFolder("device")), lstatSync("/dev/null").isCharacterDevice()]).toEqual(["/dev/null", true]);
});

it.skipIf(process.platform !== "linux")(
  "adds to a descriptor that is open on a plain file, by way of a link as /dev/stderr is one",
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

it.skipIf(process.platform === "win32")("says so where links lead around in a circle", () => {
  symlinkSync("round", inFolder("about"));
  symlinkSync("about", inFolder("round"));
  expect(() => writeWhole(inFolder("round"), "never")).toThrow("on and on");
});
