import { describe, expect, it } from "vitest";
import type { Vector, VectorKind } from "../../schemas/index.ts";
import { removeDuplicates } from "./duplicates.ts";

const vector = (id: string, part: Partial<Vector>): Vector => ({ id, description: "", needs: [], tags: [], ...part });
const none: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
const ids = (sets: Record<VectorKind, Vector[]>) => Object.values(sets).flatMap((all) => all.map(({ id }) => id));

describe("of vectors with one content", () => {
  const a = vector("semantic/X-1/a", { valid: true, data: { b: 1, c: 2 }, rule: "X-1" });
  const again = vector("semantic/X-2/a", { valid: true, data: { c: 2, b: 1 }, rule: "X-2", level: "SHOULD" });
  const child = vector("semantic/X-2/b", { valid: false, data: {}, rule: "X-2", parent: "semantic/X-2/a" });

  it("the vector of the rule with the fewest others is kept, becomes the parent of all children, and has the least level", () => {
    expect(removeDuplicates({ ...none, semantic: [a, again, child] }).semantic).toEqual([
      { ...a, level: "SHOULD" },
      { ...child, parent: a.id },
    ]);
  });

  it("the vector that the schema needs stays, with the rule", () => {
    const schema = vector("valid/full", { valid: true, data: { b: 1, c: 2 }, site: "x#/type" });
    const sets = removeDuplicates({ ...none, valid: [schema], semantic: [a] });
    expect(sets).toEqual({ ...none, valid: [{ ...schema, rule: "X-1" }] });
  });

  it("both stay if they test different things", () => {
    const wrong = { ...a, id: "other verdict", valid: false };
    const ordered = { ...again, id: "order is the point", tags: ["member-order"] };
    const text = vector("text", { valid: true, raw: JSON.stringify(a.data) });
    const yaml = { ...text, id: "yaml", needs: ["yaml-text"] };
    expect(ids(removeDuplicates({ ...none, semantic: [a, wrong, ordered], raw: [text, yaml] }))).toHaveLength(5);
    const sameBytes = vector("bytes", { valid: true, base64: Buffer.from(text.raw ?? "").toString("base64") });
    expect(ids(removeDuplicates({ ...none, raw: [text, sameBytes] }))).toEqual(["text"]);
  });
});
