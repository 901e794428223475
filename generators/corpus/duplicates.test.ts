import { describe, expect, it } from "vitest";
import type { Vector, VectorKind } from "../../schemas/index.ts";
import { removeDuplicates } from "./duplicates.ts";

const vector = (id: string, members: Partial<Vector>): Vector => ({
  id,
  description: "",
  needs: [],
  tags: [],
  ...members,
});
const noVectors: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
const ids = (sets: Record<VectorKind, Vector[]>) =>
  Object.values(sets).flatMap((vectors) => vectors.map(({ id }) => id));

describe("two vectors with the same content", () => {
  const original = vector("semantic/X-1/a", { valid: true, data: { b: 1, c: 2 }, rule: "X-1" });
  const duplicate = vector("semantic/X-2/a", { valid: true, data: { c: 2, b: 1 }, rule: "X-2", level: "SHOULD" });
  const child = vector("semantic/X-2/b", { valid: false, data: {}, rule: "X-2", parent: "semantic/X-2/a" });

  it("are merged into the vector of the rule with the fewest other vectors, which receives all children and the lowest level", () => {
    expect(removeDuplicates({ ...noVectors, semantic: [original, duplicate, child] }).semantic).toEqual([
      { ...original, level: "SHOULD" },
      { ...child, parent: original.id },
    ]);
  });

  it("are merged into the vector of the schema, which receives the rule", () => {
    const schema = vector("valid/full", { valid: true, data: { b: 1, c: 2 }, site: "x#/type" });
    const sets = removeDuplicates({ ...noVectors, valid: [schema], semantic: [original] });
    expect(sets).toEqual({ ...noVectors, valid: [{ ...schema, rule: "X-1" }] });
  });

  it("both stay if their verdict, member order or encoding differs", () => {
    const invalid = { ...original, id: "other verdict", valid: false };
    const orderedMembers = { ...duplicate, id: "order is the point", tags: ["member-order"] };
    const text = vector("text", { valid: true, raw: JSON.stringify(original.data) });
    const yaml = { ...text, id: "yaml", needs: ["yaml-text"] };
    expect(
      ids(removeDuplicates({ ...noVectors, semantic: [original, invalid, orderedMembers], raw: [text, yaml] })),
    ).toHaveLength(5);
    const sameBytes = vector("bytes", { valid: true, base64: Buffer.from(text.raw ?? "").toString("base64") });
    expect(ids(removeDuplicates({ ...noVectors, raw: [text, sameBytes] }))).toEqual(["text"]);
  });
});
