import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Draft } from "../drafts/draft.ts";
import { id as schemaId } from "../testing/schemas.fixture.ts";
import { VectorIds } from "./vector-ids.ts";

const draft = (name: string[], data: Draft["data"] = null, branch?: number): Draft => {
  const place = {
    node: schemaId,
    scope: {},
    steps: [
      {
        node: `${schemaId}#`,
        site: `${schemaId}#/oneOf`,
        kind: "oneOf" as const,
        ...(branch === undefined ? {} : { key: branch }),
      },
    ],
    at: [],
    isRepeatedStep: false,
  };
  return {
    data,
    name,
    at: "",
    says: "",
    tags: [],
    features: [],
    uniqueFeatures: [],
    ...(branch === undefined ? {} : { place }),
  };
};
const idsOf = (drafts: readonly Draft[]): string[] => {
  const vectorIds = new VectorIds("notes/1.0/note");
  return drafts.map((each) => vectorIds.createId("invalid", each));
};

describe("vector ids", () => {
  it("consist of location, fault and detail", () => {
    expect(idsOf([draft(["/author/name", "too-short", "astral"]), draft(["", "missing"]), draft(["minimal"])])).toEqual(
      [
        "notes/1.0/note/invalid/author.name/too-short/astral",
        "notes/1.0/note/invalid/$/missing",
        "notes/1.0/note/invalid/minimal",
      ],
    );
  });

  it("distinguish equal names by the branch, then by the content, never by a number", () => {
    const [first, branch, content, other] = idsOf([
      draft(["/a", "missing"], 1, 0),
      draft(["/a", "missing"], 2, 1),
      draft(["/a", "missing"], 3, 1),
      draft(["/a", "missing"], 4, 1),
    ]);
    expect(first).toBe("notes/1.0/note/invalid/a/missing");
    expect(branch).toBe("notes/1.0/note/invalid/a/missing@oneOf-1");
    expect(content).toMatch(/^notes\/1\.0\/note\/invalid\/a\/missing@oneOf-1~[0-9a-f]{8}$/);
    expect(other).not.toBe(content);
  });

  it("number drafts that kill the same mutant at the same place", () => {
    const killing = (data: number): Draft => ({
      ...draft(["/a", "pattern", "a-z-is-missing"], data, 1),
      tags: ["forcing"],
    });
    expect(idsOf([killing(1), killing(2), killing(3), killing(4)])).toEqual(
      ["", "@oneOf-1", "@oneOf-1/2", "@oneOf-1/3"].map(
        (end) => `notes/1.0/note/invalid/a/pattern/a-z-is-missing${end}`,
      ),
    );
  });

  it.each([
    ["a.b", "a.b"],
    ["white space", "white%20space"],
    ["x*?[y]{z}!", "x%2A%3F%5By%5D%7Bz%7D%21"],
    ["50%", "50%25"],
    ["漢😀", "%E6%BC%A2%F0%9F%98%80"],
    ["a\n\u0000", "a%0A%00"],
    ["#?&\\\"'<>", "%23%3F%26%5C%22%27%3C%3E"],
  ])("encode %j as %s", (detail, encoded) => {
    expect(idsOf([draft(["", "member", detail])])).toEqual([`notes/1.0/note/invalid/$/member/${encoded}`]);
  });

  it("shorten a long part without making it equal to another with the same beginning", () => {
    const [first, second] = idsOf([draft([`/${"a".repeat(300)}`]), draft([`/${"a".repeat(299)}b`])]) as [
      string,
      string,
    ];
    expect(first.length).toBeLessThan(150);
    expect(first).not.toBe(second);
  });

  const part = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "$", "/", "/a~1b", "/a/b", "..", "@", "~"),
  );
  const drafts = fc
    .uniqueArray(
      fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.integer(), fc.option(fc.nat(3), { nil: undefined })),
      {
        maxLength: 12,
        selector: ([, data]) => data,
      },
    )
    .map((entries) => entries.map(([name, data, branch]) => draft(name, data, branch)));

  it("are unique and consist of safe characters for all drafts", () => {
    fc.assert(
      fc.property(drafts, (draftList) => {
        const ids = idsOf(draftList);
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_.@$:+%~/-]+$/);
      }),
      { seed: 42, numRuns: 400 },
    );
  });

  it("do not change if more drafts follow", () => {
    fc.assert(
      fc.property(drafts, fc.nat(11), (draftList, count) => {
        expect(idsOf(draftList.slice(0, count))).toEqual(idsOf(draftList).slice(0, count));
      }),
      { seed: 43, numRuns: 400 },
    );
  });
});
