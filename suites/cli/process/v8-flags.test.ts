import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { startQuickly } from "./v8-flags.ts";

function flagsFor(version: string): string[] {
  const flags: string[] = [];
  startQuickly(version, (flag) => flags.push(flag));
  return flags;
}

describe("startQuickly", () => {
  it("sets only V8 flags that this version of Node.js knows", () => {
    const currentFlags = flagsFor(process.versions.node);
    const { status, stderr } = spawnSync(process.execPath, [...currentFlags, "-e", "0"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("sets no flags in versions of Node.js that do not know them", () => {
    expect(["20.19.0", "22.12.0", "24.0.0", "26.1.0"].map((version) => flagsFor(version).length)).toEqual([1, 2, 0, 0]);
  });
});
