import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtInPacks, protocolNamed, readJson } from "../../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import { judgeRecording } from "./recording.ts";
import { readerOf } from "./session.ts";
import { judgesFor } from "./validate.ts";

const text = readFileSync(new URL("README.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/```jsonl (\S+)\n([\s\S]*?)```/g)].map(([, name = "", lines = ""]) => ({
  name,
  lines: lines
    .trim()
    .split("\n")
    .map((line) => readJson(line, name).value),
}));

describe("the guide to recordings", () => {
  it("has an example for each protocol with rules about sequences", async () => {
    const packs = await Promise.all(
      builtInPacks.map(async (builtInPack) => ((await packOf(builtInPack)).session ? builtInPack.name : [])),
    );
    expect(examples.map(({ name }) => name).sort()).toEqual(packs.flat().sort());
  });

  it.each(examples)("has a valid recording for $name", async ({ name, lines }) => {
    const protocol = protocolNamed(name);
    const recording = judgeRecording(
      protocol,
      await judgesFor(protocol),
      { read: await readerOf(protocol), lines },
      {},
    );
    expect(recording.findings).toEqual([]);
  });
});
