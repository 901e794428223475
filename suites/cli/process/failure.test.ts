import { writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { writePlainly } from "../../base/process/file-writer.ts";
import { printError } from "./failure.ts";

afterEach(() => vi.restoreAllMocks());

function reportError(error: unknown): { code: number; text: string } {
  let text = "";
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  return { code: printError(error), text };
}

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

const deniedAccess = (syscall: string, path: string): Error =>
  Object.assign(new Error(`EACCES: permission denied, ${syscall} '${path}'`), { code: "EACCES", syscall, path });

describe("a file that cannot be read or written is not an internal error", () => {
  it("reports the file that cannot be written, and what to do", () => {
    expect(reportError(deniedAccess("mkdir", "shop/vectors"))).toEqual({
      code: 2,
      text: "touchstone: shop/vectors: the file cannot be written: EACCES: permission denied\n  make it writable, or choose another place\n",
    });
  });

  it("reports a folder that cannot be created", () => {
    for (const code of ["ENOTDIR", "ENOENT"]) {
      const error = Object.assign(new Error(`${code}: no, mkdir 'a/b'`), { code, syscall: "mkdir", path: "a/b" });
      expect(reportError(error)).toEqual({
        code: 2,
        text: expect.stringContaining("a/b: the file cannot be written: "),
      });
    }
    const missing = Object.assign(new Error("ENOENT: no, open 'a'"), { code: "ENOENT", syscall: "open", path: "a" });
    expect(reportError(missing).code).toBe(4);
  });

  it.runIf(process.platform === "linux")("reports the file that does not fit on the disk", () => {
    const { code, text } = reportError(thrownBy(() => writePlainly("/dev/full", "text")));
    expect([code, text]).toEqual([
      2,
      expect.stringMatching(/^touchstone: \/dev\/full: the file cannot be written: ENOSPC.*\n {2}make room/),
    ]);
    expect(reportError(thrownBy(() => writeFileSync("/dev/full", "text"))).code).toBe(2);
  });

  it.each([
    ["ELOOP", "stat", "a -> a"],
    ["ENAMETOOLONG", "stat", "a".repeat(300)],
    ["ENXIO", "open", "socket"],
    ["ESPECIAL", "read", "pipe"],
    ["EFBIG", "read", "huge"],
  ])("reports that the file cannot be read for %s in %s", (code, syscall, path) => {
    const error = Object.assign(new Error(`${code}: why, ${syscall} '${path}'`), { code, syscall, path });
    expect(reportError(error)).toEqual({
      code: 2,
      text: expect.stringContaining(`${path}: the file cannot be read: `),
    });
  });

  it("reports an exhausted limit of open files and a missing working directory", () => {
    const openFilesError = Object.assign(new Error("EMFILE: too many open files, open 'a'"), {
      code: "EMFILE",
      syscall: "open",
    });
    expect(reportError(openFilesError)).toEqual({
      code: 2,
      text: expect.stringMatching(/limit of open files is reached.*\n.*ulimit -n/),
    });
    const missingFolderError = Object.assign(new Error("ENOENT: uv_cwd"), { code: "ENOENT", syscall: "uv_cwd" });
    expect(reportError(missingFolderError)).toEqual({
      code: 2,
      text: expect.stringContaining("working directory no longer exists"),
    });
  });

  it("reports an internal error if no file is involved", () => {
    expect(reportError(deniedAccess("listen", "x")).code).toBe(4);
    expect(reportError(new Error("undefined is not a function")).code).toBe(4);
  });
});
