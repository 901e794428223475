import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeSite } from "./write.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("removes files of an earlier site, but no other files", () => {
  const site = join(folder, "site");
  writeSite(
    site,
    new Map([
      ["index.html", "1"],
      ["a/1.0/index.html", "a"],
    ]),
  );
  writeFileSync(join(site, "CNAME"), "example.org");
  writeFileSync(join(folder, "outside.txt"), "kept");
  writeFileSync(join(site, "files.txt"), "../outside.txt\n./a/../../outside.txt\na/1.0/index.html\nindex.html\n");
  writeSite(site, new Map([["index.html", "2"]]));
  expect(readFileSync(join(site, "index.html"), "utf8")).toBe("2");
  expect(existsSync(join(site, "a/1.0/index.html"))).toBe(false);
  expect(readFileSync(join(site, "CNAME"), "utf8")).toBe("example.org");
  expect(readFileSync(join(folder, "outside.txt"), "utf8")).toBe("kept");
  expect(readFileSync(join(site, "files.txt"), "utf8")).toBe("index.html\n");
});

it("rejects a folder that contains other files but no site", () => {
  const other = join(folder, "other");
  mkdirSync(other);
  writeFileSync(join(other, "thesis.txt"), "");
  expect(() => writeSite(other, new Map([["index.html", ""]]))).toThrow("does not contain a site");
  expect(existsSync(join(other, "index.html"))).toBe(false);
});
