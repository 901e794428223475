import { describe, expect, it } from "vitest";
import { type Json, type Protocol, protocolsNamed, type RuledProtocol, type Vector } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { rulesFor } from "../../packs/reference/rules.ts";
import { judgeFor } from "../../packs/reference/validator.ts";
import { judge } from "../run/judge.ts";

/** Reads raw text as JavaScript, and so accepts comments, extra commas, other quotes and repeated names. Replaces bytes that are not UTF-8. Undefined for other text. */
function readLeniently({ raw, base64 = "" }: Vector): Json | undefined {
  const text = raw ?? new TextDecoder("utf-8").decode(Buffer.from(base64, "base64"));
  try {
    const value: unknown = new Function(`"use strict"; return (${text.replaceAll("\0", "")});`)();
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
  } catch {
    return undefined;
  }
}

/**
 * Counts the invalid texts that a lenient reader can read, and how many of them detect it although it enforces the schema and every semantic rule.
 * Texts about prototypes are excluded: the reader loses such members, so the schema refuses the rest.
 */
async function acceptedTexts(protocol: RuledProtocol, name: string, texts: readonly Vector[]) {
  const document = protocol.profile.documents.find((candidate) => candidate.name === name);
  if (document === undefined) throw new Error(`no document ${name}`);
  const schema = await judgeFor(protocol);
  const rules = await rulesFor(protocol);
  const readVectors = texts.flatMap((vector) => {
    const value = vector.valid === false && vector.fault !== "prototype" ? readLeniently(vector) : undefined;
    return value === undefined ? [] : [{ vector, value }];
  });
  const killedBy = readVectors.filter(({ vector, value }) => {
    const { breaches, advice } = rules(document, value, Buffer.from(JSON.stringify(value)));
    const reasons = [...schema(document, value), ...breaches, ...advice];
    const { outcome } = judge(vector, { verdict: reasons.length > 0 ? "rejected" : "accepted", reasons });
    return outcome === "violates" || outcome === "warns";
  });
  return { read: readVectors.length, killedBy: killedBy.length };
}

function textsOf(protocol: Protocol): { document: string; texts: Vector[] }[] {
  return loadVectors(protocol).files.map(({ document, tests }) => ({
    document,
    texts: tests.filter(({ id }) => id.includes(`/${document}/raw/`)),
  }));
}

// A protocol with only the core vectors has no raw texts.
const protocolsWithTexts = protocolsNamed("all").filter((protocol) =>
  textsOf(protocol).some(({ texts }) => texts.length > 0),
);

describe.each(protocolsWithTexts)("a reader that is lenient about syntax but enforces all rules of $name", (data) => {
  const files = textsOf(data);
  // Further documents for the same reader have only a few texts of each family.
  const maxTexts = Math.max(...files.map(({ texts }) => texts.length));
  it.each(files.filter(({ texts }) => texts.length > 0))("is detected by raw texts of $document", async (file) => {
    const { read, killedBy } = await acceptedTexts(await ruled(data), file.document, file.texts);
    // A text may concern a member that the schema or a rule checks, such as an invalid number.
    expect(killedBy).toBeGreaterThan(file.texts.length === maxTexts ? Math.max(5, 0.6 * read) : 2);
  });
});
