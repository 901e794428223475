import { describe, expect, it } from "vitest";
import { builtInPacks, protocolNamed, TouchstoneError } from "../../../schemas/index.ts";
import { inProcess } from "../../targets/in-process.ts";
import { referenceEnvironments } from "./environments.ts";
import { type CheckedOptions, protocolsIn, requireValidOptions } from "./options.ts";

/** Casts options that a caller without types may pass. */
const untyped = (options: Record<string, unknown>): CheckedOptions => options as CheckedOptions;

describe("an option that does not fit", () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a level in capitals", { failOn: "SHOULD" }, /failOn is "SHOULD"\n.*must, should or may/],
    ["NaN", { concurrency: Number.NaN }, /concurrency is NaN\n.*from 1 to 1024/],
    ["a string for a number", { timeoutMs: "5s" }, /timeoutMs is "5s"/],
    ["more than a timer holds", { timeoutMs: 1e12 }, /timeoutMs is 1000000000000\n.*to 3600000/],
    ["a fraction", { seed: 0.5 }, /seed is 0.5/],
    ["a shard beyond the last", { shard: { index: 5, count: 2 } }, /shard.index is 5\n.*from 1 to 2/],
    ["a shard as a string", { shard: "1/2" }, /shard is "1\/2"\n.*index, count/],
    ["a pattern instead of a list", { only: "ahcp" }, /only is "ahcp"\n.*a list/],
    ["an invalid pattern", { skip: [/a/] }, /skip is \[\{\}\]/],
    [
      "a target of an unknown kind",
      { target: { kind: "modul", file: "x" } },
      /target.kind is "modul"\n.*module, command, http/,
    ],
    ["an empty command", { target: { kind: "command", command: " " } }, /target.command is " "/],
    ["a missing file", { target: { kind: "module" } }, /target.file is undefined/],
    ["a target instead of a function", { target: inProcess(() => true) }, /\(\) => inProcess/],
    ["scenarios as a configuration has them", { scenarios: true }, /scenarios is true\n.*referenceEnvironments/],
    ["no target", { target: null }, /target is null/],
  ])("is refused: %s", (_, options, output) => {
    expect(() => requireValidOptions(untyped(options))).toThrow(TouchstoneError);
    expect(() => requireValidOptions(untyped(options))).toThrow(output);
  });

  it("is not reported if values are at the limits", () => {
    requireValidOptions({
      concurrency: 1024,
      timeoutMs: 3_600_000,
      seed: 0xffffffff,
      shard: { index: 2, count: 2 },
      failOn: "may",
    });
    requireValidOptions({ target: { kind: "reference" }, only: [], skip: ["a"] });
    requireValidOptions({ target: () => inProcess(() => true), scenarios: referenceEnvironments(undefined) });
  });
});

describe("the option protocols", () => {
  it("accepts names, protocols, or lists of both", () => {
    expect(protocolsIn("all")).toHaveLength(builtInPacks.length);
    const names = protocolsIn(["snap", protocolNamed("ahcp"), "aaep@1.0"]).map(({ name }) => name);
    expect(names).toEqual(["snap", "ahcp", "aaep"]);
  });

  it.each([[[{}]], [[7]], [7]] as unknown as [string[]][])("refuses %j", (protocols) => {
    expect(() => protocolsIn(protocols)).toThrow(/option protocols is/);
  });
});
