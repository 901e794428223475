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

/** The vectors of each entry document, made from the published valid ones. */
const made = new Map<string, Vector[]>();
const lawful = new Map<string, unknown[]>();
/** Those of the first, where its profile lets forms of other notations count less. */
let eased: Vector[] = [];
beforeAll(async () => {
  for (const { protocol, document, name } of documents) {
    const valid = ["valid.json", "semantic.json"]
      .map((file) => join(folderOf(protocol, document.name), file))
      .flatMap((file) => (existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as VectorFile).tests : []));
    const oracle = await oracleFor(protocol.schemas, document.schema);
    const vectors = rawVectors(protocol, document, valid, { oracle });
    made.set(name, vectors);
    lawful.set(name, rawLaw(protocol, oracle, new Map(valid.map(({ id, data }) => [id, data as Json])), vectors));
    const text = { rulings: { extended: { level: "SHOULD" } } } as const;
    const profile = { ...protocol.profile, text };
    if (name === documents[0]?.name) eased = rawVectors({ ...protocol, profile }, document, valid, { oracle });
    if (name === "ahcp message") expect(rawVectors(protocol, document, valid, { oracle })).toEqual(vectors);
  }
}, 300_000);

function of(name: string): Vector[] {
  return made.get(name) ?? [];
}

function one(name: string, end: string): Vector {
  const found = of(name).filter(({ id }) => id.endsWith(`/raw/${end}`));
  expect(found, end).toHaveLength(1);
  return found[0] as Vector;
}

function textOf({ raw, base64 }: Vector): Buffer {
  return Buffer.from(raw ?? Buffer.from(base64 ?? "", "base64"));
}

it("syntax of other notations counts less if a profile says so, but truncated texts do not", () => {
  const level = (end: string): unknown => eased.find(({ id }) => id.endsWith(`/raw/${end}`))?.level ?? "MUST";
  expect(["number/nan", "comment/line", "comma/trailing-in-object", "trailing-data/text"].map(level)).toEqual(
    Array(4).fill("SHOULD"),
  );
  expect(["truncated/before-end", "comma/missing", "empty/nothing"].map(level)).toEqual(Array(3).fill("MUST"));
  expect(eased.map(verdictOf)).toEqual(of(documents[0]?.name ?? "").map(verdictOf));
});

describe.each(documents)("raw vectors of $name", ({ protocol, name }) => {
  it("obey the law", () => {
    expect(lawful.get(name)).toEqual([]);
  });

  it("are valid, invalid and disputed", () => {
    expect(new Set(of(name).map(verdictOf))).toEqual(new Set(["valid", "invalid", "disputed"]));
  });

  it("have unique names, and no text twice", () => {
    const ids = of(name).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/\/raw\/[a-z0-9-]+(\/[A-Za-z0-9._~@%$:+-]+){1,2}$/);
    expect(new Set(of(name).map((vector) => textOf(vector).toString("latin1"))).size).toBe(ids.length);
  });

  it("name rules that the catalogue has", () => {
    const rules = protocol.rules.map(({ id }) => id);
    expect(of(name).filter(({ rule }) => rule !== undefined && !rules.includes(rule))).toEqual([]);
  });

  it("name the clause by which a text is not JSON, or by which numbers are equal", () => {
    const silent = of(name).filter(
      ({ valid, fault, description }) =>
        valid === false && fault !== "prototype" && !/\((RFC 8259, [2-9]|JSON Schema Core)/.test(description),
    );
    expect(silent).toEqual([]);
  });

  it("are text if text preserves them, and bytes otherwise", () => {
    for (const vector of of(name)) {
      if (vector.raw !== undefined) {
        expect(vector.raw).not.toMatch(/[\u0000\ufeff]/);
        expect(Buffer.from(vector.raw).toString()).toBe(vector.raw);
      }
      expect(vector.needs).toContain("raw-text");
    }
  });
});

describe("the families", () => {
  it("are all at work", () => {
    const seen = new Set([...made.values()].flat().map(({ id }) => id.split("/raw/")[1]?.split("/")[0]));
    expect([...seen].sort()).toEqual(rawFamilies.map(({ name }) => name).sort());
    expect(rawFamilies.map(({ name }) => name)).toHaveLength(seen.size);
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
    const vector = one(name, end);
    expect([verdictOf(vector), vector.rule, vector.level]).toEqual([verdict, rule, level]);
  });

  it("puts texts that only large readers can hold under the first document", () => {
    const deepest = [...made].filter(([, all]) => all.some(({ id }) => id.endsWith("/nesting/100000")));
    // A document of which the core alone is kept has no such texts.
    const first = protocols.flatMap(({ name }) => {
      const document = documents.find(({ protocol }) => protocol.name === name);
      return document === undefined || document.document.kept === "core" ? [] : document.name;
    });
    expect(deepest.map(([name]) => name)).toEqual(first);
  });
});

describe("documents that one reader reads", () => {
  const count = (name: string, family: string): number =>
    of(name).filter(({ id }) => id.includes(`/raw/${family}/`)).length;

  it.each([
    ["aaep agent.session.started", "aaep agent.state.changed"],
    ["snap envelope", "snap message-send.request"],
    ["agent-conventions task", "agent-conventions status"],
  ])("are asked in full about the first, as %s, and in one way of each family about others, as %s", (first, other) => {
    expect([count(first, "truncated"), count(first, "trailing-data")]).toEqual([7, 11]);
    expect([count(other, "truncated"), count(other, "trailing-data")]).toEqual([1, 1]);
    for (const { name } of rawFamilies.filter(({ name }) => count(first, name) > 0 && name !== "ordinary-name"))
      expect([name, count(other, name) > 0]).toEqual([name, true]);
  });

  it("are those received in the same way: a reply is not an event", () => {
    expect(count("aaep confirmation.reply", "truncated")).toBe(7);
    expect(count("aaep clarification.reply", "truncated")).toBe(1);
  });

  it("have the members of each", () => {
    expect(count("aaep agent.state.changed", "repeated-name")).toBeGreaterThan(10);
    expect(count("aaep agent.state.changed", "prototype")).toBeGreaterThan(5);
  });
});

/** The value that a reader gives for a text. Throws for a text that it does not accept. */
type Reader = (source: Buffer) => unknown;
const text = (source: Buffer, fatal = true): string =>
  new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(source);
const lenient: Record<string, [Reader, string[]]> = {
  "who puts U+FFFD for bytes": [(source) => JSON.parse(text(source, false)), ["utf-8"]],
  "who allows comments": [(source) => parse(text(source), { mode: "jsonc" }), ["comment", "control-character"]],
  "who allows trailing commas": [
    (source) => parse(text(source), { mode: "json", allowTrailingCommas: true }),
    ["comma", "control-character"],
  ],
  "who reads JSON5": [
    (source) => parse(text(source), { mode: "json5" }),
    ["byte-order-mark", "comma", "comment", "control-character", "escape", "number", "quote", "white-space"],
  ],
  "who stops after the first value": [
    (source) => {
      const all = text(source);
      for (let end = all.lastIndexOf("}"); end > 0; end = all.lastIndexOf("}", end - 1)) {
        try {
          return JSON.parse(all.slice(0, end + 1));
        } catch {}
      }
      throw new SyntaxError();
    },
    ["byte-order-mark", "comment", "trailing-data"],
  ],
  "who evaluates": [
    (source) => new Function(`"use strict"; return (${text(source)});`)(),
    ["byte-order-mark", "comma", "comment", "control-character", "escape", "literal", "number", "quote", "white-space"],
  ],
  "who trims": [(source) => JSON.parse(text(source).trim()), ["byte-order-mark"]],
};

it("leaves encodings and marks to readers of YAML of any version", () => {
  for (const end of ["encoding/utf-16-le", "encoding/utf-16-le-unmarked", "byte-order-mark/twice-before"]) {
    const takers = one("agentformat agent", end).readings?.filter(({ verdict }) => verdict === "valid");
    expect(takers?.map(({ by }) => by)).toEqual([["YAML, character encodings"]]);
  }
});

describe("a lenient reader", () => {
  it.each(Object.entries(lenient))("detects %s", (_, [read, families]) => {
    const faults = of("ahcp message").filter(({ valid, fault }) => valid === false && fault !== "prototype");
    const taken = new Set(faults.filter((vector) => reads(read, vector)).map(({ fault }) => fault));
    expect([...taken].sort()).toEqual(families);
  });
});

/** A reader that refuses valid texts if it matches. */
const refusing =
  (pattern: RegExp): Reader =>
  (source) => {
    if (pattern.test(text(source))) throw new SyntaxError();
  };
const strict: Record<string, [Reader, string[]]> = {
  "who wants its own spelling": [
    (source) => {
      if (JSON.stringify(JSON.parse(text(source))) !== text(source)) throw new SyntaxError();
    },
    ["numeral", "ordinary-name", "spacing", "spelling"],
  ],
  "who wants the first member first": [refusing(/^\s*\{\s*"(?!ahcp_version|\\u0061)/), ["order"]],
  "who wants plain names": [refusing(/\\u[0-9a-f]{4}"\s*:/i), ["ordinary-name", "spelling"]],
  "who knows no tab": [refusing(/\t/), ["spacing"]],
  "who knows no exponent": [refusing(/:\s*-?[0-9.]+[eE]/), ["numeral"]],
  "who fears for its prototypes": [refusing(/"__proto__"/), ["ordinary-name"]],
};

describe("an overly strict reader", () => {
  it.each(Object.entries(strict))("detects %s", (_, [read, families]) => {
    const refused = of("ahcp message").filter((vector) => vector.valid === true && !reads(read, vector));
    const named = new Set(refused.map(({ id }) => id.split("/raw/")[1]?.split("/")[0]));
    expect([...named].sort()).toEqual(families);
  });
});

function reads(read: Reader, vector: Vector): boolean {
  try {
    read(textOf(vector));
    return true;
  } catch {
    return false;
  }
}
