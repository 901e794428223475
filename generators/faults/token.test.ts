import { describe, expect, it } from "vitest";
import { injectFamily } from "../testing/injected.fixture.ts";
import { families } from "./index.ts";
import { piecesOf } from "./pieces.ts";
import { insideMisses } from "./token.ts";

const family = families.find(({ name }) => name === "pattern") as (typeof families)[number];

describe("a token", () => {
  const source = "^rpl_[A-Za-z0-9]{1,64}$";
  const faults = async (): Promise<Map<string, unknown>> => {
    const drafts = await injectFamily(family, { type: "string", pattern: source }, "rpl_a1B2");
    return new Map(drafts.map(({ name, data }) => [name.slice(2).join("/"), data]));
  };

  it.each([
    ["prefix-1-wrong", "xpl_a1B2"],
    ["prefix-2-wrong", "rxl_a1B2"],
    ["prefix-3-wrong", "rpx_a1B2"],
    ["prefix-4-wrong", "rplxa1B2"],
    ["prefix-missing", "pl_a1B2"],
    ["prefix-2-left-out", "rl_a1B2"],
    ["prefix-3-left-out", "rp_a1B2"],
    ["prefix-4-left-out", "rpla1B2"],
    ["prefix-left-out", "a1B2"],
    ["run-empty", "rpl_"],
    ["run-one-long", `rpl_${"a1B2".repeat(16)}a`],
    ["run-space-first", "rpl_ 1B2"],
    ["run-hyphen-middle", "rpl_a1-2"],
    ["run-underscore-last", "rpl_a1B_"],
    ["run-full-width-digit-first", "rpl_７1B2"],
    ["run-arabic-digit-middle", "rpl_a1٣2"],
    ["run-accented-letter-last", "rpl_a1Bé"],
    ["line-feed-at-the-end", "rpl_a1B2\n"],
    ["nul-inside", "rpl_a1B\u00002"],
    ["look-alike", "rpl_\u017f1B2"],
    ["other-case", "RPL_A1B2"],
    ["leading-space", " rpl_a1B2"],
    ["trailing-space", "rpl_a1B2 "],
  ])("is broken by %s", async (name, text) => {
    expect((await faults()).get(name)).toBe(text);
  });

  it("matches none of its near misses, which all differ", async () => {
    const texts = [...(await faults()).values()] as string[];
    expect(texts.filter((text) => new RegExp(source, "u").test(text))).toEqual([]);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe("insideMisses", () => {
  const names = (pattern: RegExp, text: string) => [...insideMisses(pattern, text)].map(({ name }) => name);

  it("changes every run, and puts every kind of wrong character into the first one", () => {
    const missNames = names(/^[0-9]{2}-[a-z]+$/u, "12-ab");
    expect(missNames).toEqual(
      expect.arrayContaining(["run-1-one-short", "run-1-one-long", "part-2-1-wrong", "run-2-empty"]),
    );
    const positionsIn = (run: string) =>
      missNames.filter((name) => name.startsWith(run) && /-(first|middle|last)$/.test(name));
    expect(positionsIn("run-1").length).toBeGreaterThan(9);
    expect(positionsIn("run-2")).toHaveLength(3);
  });

  it("exchanges characters if the pattern is not a sequence of pieces", () => {
    expect(names(/^(a|bc)+$/u, "abc")).toContain("space-middle");
    expect(names(/^(.)\1$/u, "aa")).toContain("hyphen-first");
  });
});

describe("piecesOf", () => {
  it("follows the matching alternative, and optional parts that are present", () => {
    expect(piecesOf(/^a[0-9]$|^b[a-z]{2}(?:!)?$/u, "bxy")).toEqual([
      { kind: "fixed", start: 0, end: 1, min: 1, max: 1 },
      { kind: "run", start: 1, end: 3, min: 2, max: 2 },
    ]);
    expect(piecesOf(/^a?b$/u, "b")).toEqual([{ kind: "fixed", start: 0, end: 1, min: 1, max: 1 }]);
    expect(piecesOf(/^(a)\1$/u, "aa")).toEqual([]);
  });
});
