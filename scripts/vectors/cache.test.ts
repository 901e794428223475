import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readCached, writeCached } from "./cache.ts";
import type { VectorPart, VectorTask } from "./part.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-cache-"));
afterAll(() => rmSync(folder, { recursive: true }));

const task: VectorTask = { protocol: "one", document: "message", laws: false };
const part: VectorPart = { texts: [["one/1.0/message/valid.json", "{}"]], complaints: [] };

describe("the cached result of the last run", () => {
  it("is undefined without an entry", () => {
    expect(readCached(task, "sha256-a", folder)).toBeUndefined();
  });

  it("is returned only for the same task and the same digest of inputs", () => {
    writeCached(task, "sha256-a", part, folder);
    expect(readCached(task, "sha256-a", folder)).toEqual(part);
    expect(readCached(task, "sha256-b", folder)).toBeUndefined();
    expect(readCached({ ...task, document: "reply" }, "sha256-a", folder)).toBeUndefined();
  });

  it("is replaced by a later result", () => {
    const newerPart = { ...part, texts: [] };
    writeCached(task, "sha256-b", newerPart, folder);
    expect(readCached(task, "sha256-b", folder)).toEqual(newerPart);
    expect(readCached(task, "sha256-a", folder)).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("is undefined if the file is truncated", () => {
    const [file = ""] = readdirSync(folder);
    writeFileSync(join(folder, file), '{"digest":"sha256-b","pa');
    expect(readCached(task, "sha256-b", folder)).toBeUndefined();
  });
});
