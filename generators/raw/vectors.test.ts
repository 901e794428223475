import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@humanwhocodes/momoa";
import { beforeAll, describe, expect, it } from "vitest";
import {
  home,
  type Json,
  type Protocol,
  protocolsNamed,
  type Vector,
  type VectorFile,
  verdictOf,
} from "../../schemas/index.ts";
import { oracleFor } from "../oracle/oracle.ts";
import { rawFamilies } from "./index.ts";
import { rawLaw } from "./laws.ts";
import { rawVectors } from "./vectors.ts";

const folderOf = ({ name, version }: Protocol, document: string): string =>
  join(home, "vectors", name, version, document);
const protocols = protocolsNamed("all");
/** Documents that an implementation receives, without those that only wrap others and have no vectors. */
const documents = protocols.flatMap((protocol) =>
  protocol.profile.documents
    .filter(({ role, name }) => role === "entry" && existsSync(folderOf(protocol, name)))
    .map((document) => ({ protocol, document, name: `${protocol.name} ${document.name}` })),
);

/** The raw vectors of each entry document, made from the published valid ones. */
const vectorsByDocument = new Map<string, Vector[]>();
const breachesByDocument = new Map<string, unknown[]>();
/** The raw vectors of the first document if its profile gives syntax of other notations a lower level. */
let easedVectors: Vector[] = [];
beforeAll(async () => {
  for (const { protocol, document, name } of documents) {
    const valid = ["valid.json", "semantic.json"]
      .map((file) => join(folderOf(protocol, document.name), file))
      .flatMap((file) => (existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as VectorFile).tests : []));
    const oracle = await oracleFor(protocol.schemas, document.schema);
    const vectors = rawVectors(protocol, document, valid, { oracle });
    vectorsByDocument.set(name, vectors);
    breachesByDocument.set(
      name,
      rawLaw(protocol, oracle, new Map(valid.map(({ id, data }) => [id, data as Json])), vectors),
    );
    const text = { rulings: { extended: { level: "SHOULD" } } } as const;
    const profile = { ...protocol.profile, text };
    if (name === documents[0]?.name) easedVectors = rawVectors({ ...protocol, profile }, document, valid, { oracle });
    if (name === "ahcp message") expect(rawVectors(protocol, document, valid, { oracle })).toEqual(vectors);
  }
}, 300_000);

function vectorsOf(name: string): Vector[] {
  return vectorsByDocument.get(name) ?? [];
}

function findVector(name: string, end: string): Vector {
  const matching = vectorsOf(name).filter(({ id }) => id.endsWith(`/raw/${end}`));
  expect(matching, end).toHaveLength(1);
  return matching[0] as Vector;
}

function textOf({ raw, base64 }: Vector): Buffer {
  return Buffer.from(raw ?? Buffer.from(base64 ?? "", "base64"));
}

it("lowers the level of syntax of other notations if a profile says so, but not of truncated texts", () => {
  const levelOf = (end: string): unknown => easedVectors.find(({ id }) => id.endsWith(`/raw/${end}`))?.level ?? "MUST";
  expect(["number/nan", "comment/line", "comma/trailing-in-object", "trailing-data/text"].map(levelOf)).toEqual(
    Array(4).fill("SHOULD"),
  );
  expect(["truncated/before-end", "comma/missing", "empty/nothing"].map(levelOf)).toEqual(Array(3).fill("MUST"));
  expect(easedVectors.map(verdictOf)).toEqual(vectorsOf(documents[0]?.name ?? "").map(verdictOf));
});

describe.each(documents)("raw vectors of $name", ({ protocol, name }) => {
  it("satisfy `rawLaw`", () => {
    expect(breachesByDocument.get(name)).toEqual([]);
  });

  it("are valid, invalid and disputed", () => {
    expect(new Set(vectorsOf(name).map(verdictOf))).toEqual(new Set(["valid", "invalid", "disputed"]));
  });

  it("have unique ids and unique texts", () => {
    const ids = vectorsOf(name).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/\/raw\/[a-z0-9-]+(\/[A-Za-z0-9._~@%$:+-]+){1,2}$/);
    expect(new Set(vectorsOf(name).map((vector) => textOf(vector).toString("latin1"))).size).toBe(ids.length);
  });

  it("name only existing rules", () => {
    const rules = protocol.rules.map(({ id }) => id);
    expect(vectorsOf(name).filter(({ rule }) => rule !== undefined && !rules.includes(rule))).toEqual([]);
  });

  it("name the clause that makes a text invalid", () => {
    const withoutClause = vectorsOf(name).filter(
      ({ valid, fault, description }) =>
        valid === false && fault !== "prototype" && !/\((RFC 8259, [2-9]|JSON Schema Core)/.test(description),
    );
    expect(withoutClause).toEqual([]);
  });

  it("are text if text can represent them, and bytes otherwise", () => {
    for (const vector of vectorsOf(name)) {
      if (vector.raw !== undefined) {
        expect(vector.raw).not.toMatch(/[\u0000\ufeff]/);
        expect(Buffer.from(vector.raw).toString()).toBe(vector.raw);
      }
      expect(vector.needs).toContain("raw-text");
    }
  });
});

describe("the families", () => {
  it("all contribute vectors", () => {
    const familiesSeen = new Set(
      [...vectorsByDocument.values()].flat().map(({ id }) => id.split("/raw/")[1]?.split("/")[0]),
    );
    expect([...familiesSeen].sort()).toEqual(rawFamilies.map(({ name }) => name).sort());
    expect(rawFamilies.map(({ name }) => name)).toHaveLength(familiesSeen.size);
  });
});

describe("the decisions of protocols", () => {
  it.each([
    ["ahcp message", "repeated-name/same-value", "disputed", undefined, undefined],
    ["ahcp message", "byte-order-mark/before", "disputed", undefined, undefined],
    ["ahcp message", "utf-8/no-utf-8-byte", "invalid", "AHCP-ERR-003", "SHOULD"],
    ["ahcp message", "number/nan", "invalid", "AHCP-ERR-003", undefined],
    ["aaep confirmation.reply", "repeated-name/same-value", "disputed", undefined, undefined],
    ["aaep confirmation.reply", "repeated-name/other-value/decision", "invalid", "AAEP-ENV-001", "SHOULD"],
    ["aaep confirmation.reply", "repeated-name/other-value/timestamp", "invalid", "AAEP-ENV-001", "SHOULD"],
    ["aaep confirmation.reply", "lone-surrogate/high", "disputed", undefined, undefined],
    ["aaep confirmation.reply", "byte-order-mark/before", "disputed", undefined, undefined],
    ["aaep confirmation.reply", "nesting/5", "valid", "AAEP-ENV-001", undefined],
    ["snap envelope", "repeated-name/nested", "invalid", "SNAP-ENV-016", undefined],
    ["snap envelope", "lone-surrogate/reversed", "invalid", "SNAP-ENV-016", undefined],
    ["snap envelope", "byte-order-mark/before", "disputed", undefined, undefined],
    ["snap envelope", "nesting/100", "disputed", "SNAP-PAY-018", undefined],
    ["ahcp message", "nesting/100", "disputed", undefined, undefined],
    ["agentformat agent", "repeated-name/same-value", "invalid", "AGF-DOC-005", "SHOULD"],
    ["agentformat agent", "quote/single", "disputed", "AGF-DOC-005", undefined],
    ["agentformat agent", "truncated/before-end", "invalid", "AGF-DOC-005", undefined],
    ["agent-conventions task", "truncated/before-end", "invalid", "CONV-BASE-001", "SHOULD"],
    ["agent-conventions task", "repeated-name/same-value", "disputed", undefined, undefined],
  ])("%s: %s is %s", (name, end, verdict, rule, level) => {
    const vector = findVector(name, end);
    expect([verdictOf(vector), vector.rule, vector.level]).toEqual([verdict, rule, level]);
  });

  it("adds the deepest nesting only to the first document", () => {
    const deepest = [...vectorsByDocument].filter(([, vectors]) =>
      vectors.some(({ id }) => id.endsWith("/nesting/100000")),
    );
    // A document that keeps only its core has no such texts.
    const first = protocols.flatMap(({ name }) => {
      const document = documents.find(({ protocol }) => protocol.name === name);
      return document === undefined || document.document.kept === "core" ? [] : document.name;
    });
    expect(deepest.map(([name]) => name)).toEqual(first);
  });
});

describe("documents with the same reader", () => {
  const count = (name: string, family: string): number =>
    vectorsOf(name).filter(({ id }) => id.includes(`/raw/${family}/`)).length;

  it.each([
    ["aaep agent.session.started", "aaep agent.state.changed"],
    ["snap envelope", "snap message-send.request"],
    ["agent-conventions task", "agent-conventions status"],
  ])("have all texts for the first, such as %s, and one text of each family for others, such as %s", (first, other) => {
    expect([count(first, "truncated"), count(first, "trailing-data")]).toEqual([7, 11]);
    expect([count(other, "truncated"), count(other, "trailing-data")]).toEqual([1, 1]);
    for (const { name } of rawFamilies.filter(({ name }) => count(first, name) > 0 && name !== "ordinary-name"))
      expect([name, count(other, name) > 0]).toEqual([name, true]);
  });

  it("are those received in the same way: replies are separate from events", () => {
    expect(count("aaep confirmation.reply", "truncated")).toBe(7);
    expect(count("aaep clarification.reply", "truncated")).toBe(1);
  });

  it("have separate texts for the members of each", () => {
    expect(count("aaep agent.state.changed", "repeated-name")).toBeGreaterThan(10);
    expect(count("aaep agent.state.changed", "prototype")).toBeGreaterThan(5);
  });
});

/** Returns the value of a text. Throws for a text that the reader refuses. */
type Reader = (source: Buffer) => unknown;
const decode = (source: Buffer, fatal = true): string =>
  new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(source);
const lenientReaders: Record<string, [Reader, string[]]> = {
  "that replaces invalid bytes by U+FFFD": [(source) => JSON.parse(decode(source, false)), ["utf-8"]],
  "that allows comments": [(source) => parse(decode(source), { mode: "jsonc" }), ["comment", "control-character"]],
  "that allows trailing commas": [
    (source) => parse(decode(source), { mode: "json", allowTrailingCommas: true }),
    ["comma", "control-character"],
  ],
  "that reads JSON5": [
    (source) => parse(decode(source), { mode: "json5" }),
    ["byte-order-mark", "comma", "comment", "control-character", "escape", "number", "quote", "white-space"],
  ],
  "that stops after the first value": [
    (source) => {
      const all = decode(source);
      for (let end = all.lastIndexOf("}"); end > 0; end = all.lastIndexOf("}", end - 1)) {
        try {
          return JSON.parse(all.slice(0, end + 1));
        } catch {}
      }
      throw new SyntaxError();
    },
    ["byte-order-mark", "comment", "trailing-data"],
  ],
  "that evaluates texts as JavaScript": [
    (source) => new Function(`"use strict"; return (${decode(source)});`)(),
    ["byte-order-mark", "comma", "comment", "control-character", "escape", "literal", "number", "quote", "white-space"],
  ],
  "that trims texts": [(source) => JSON.parse(decode(source).trim()), ["byte-order-mark"]],
};

it("accepts other encodings and marks in the reading of YAML encodings only", () => {
  for (const end of ["encoding/utf-16-le", "encoding/utf-16-le-unmarked", "byte-order-mark/twice-before"]) {
    const acceptingReadings = findVector("agentformat agent", end).readings?.filter(
      ({ verdict }) => verdict === "valid",
    );
    expect(acceptingReadings?.map(({ by }) => by)).toEqual([["YAML, character encodings"]]);
  }
});

describe("the vectors of ahcp message detect a lenient reader", () => {
  it.each(Object.entries(lenientReaders))("%s", (_, [read, families]) => {
    const faults = vectorsOf("ahcp message").filter(({ valid, fault }) => valid === false && fault !== "prototype");
    const acceptedFamilies = new Set(faults.filter((vector) => accepts(read, vector)).map(({ fault }) => fault));
    expect([...acceptedFamilies].sort()).toEqual(families);
  });
});

/** A reader that refuses texts that match a pattern. */
const refuseMatching =
  (pattern: RegExp): Reader =>
  (source) => {
    if (pattern.test(decode(source))) throw new SyntaxError();
  };
const strictReaders: Record<string, [Reader, string[]]> = {
  "that accepts only its own spelling": [
    (source) => {
      if (JSON.stringify(JSON.parse(decode(source))) !== decode(source)) throw new SyntaxError();
    },
    ["numeral", "ordinary-name", "spacing", "spelling"],
  ],
  "that requires the first member first": [refuseMatching(/^\s*\{\s*"(?!ahcp_version|\\u0061)/), ["order"]],
  "that refuses escapes in names": [refuseMatching(/\\u[0-9a-f]{4}"\s*:/i), ["ordinary-name", "spelling"]],
  "that refuses tabs": [refuseMatching(/\t/), ["spacing"]],
  "that refuses exponents": [refuseMatching(/:\s*-?[0-9.]+[eE]/), ["numeral"]],
  "that refuses `__proto__`": [refuseMatching(/"__proto__"/), ["ordinary-name"]],
};

describe("the vectors of ahcp message detect an overly strict reader", () => {
  it.each(Object.entries(strictReaders))("%s", (_, [read, families]) => {
    const refused = vectorsOf("ahcp message").filter((vector) => vector.valid === true && !accepts(read, vector));
    const refusedFamilies = new Set(refused.map(({ id }) => id.split("/raw/")[1]?.split("/")[0]));
    expect([...refusedFamilies].sort()).toEqual(families);
  });
});

function accepts(read: Reader, vector: Vector): boolean {
  try {
    read(textOf(vector));
    return true;
  } catch {
    return false;
  }
}
