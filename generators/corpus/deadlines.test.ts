import { describe, expect, it } from "vitest";
import type { Document, Json, Vector, VectorKind } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { postponeDeadlines } from "./deadlines.ts";

const document = {
  fresh: [
    { at: "/sent", make: "date-time" },
    { at: "/due", make: "date-time", offset: 3600 },
    { at: "/job/until", make: "date-time", offset: 60 },
  ],
} as Document;
const none: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
const vector = (part: Partial<Vector>): Vector => ({ id: "a", description: "", needs: [], tags: [], ...part });
const late = (part: Partial<Vector>) => postponeDeadlines(document, { ...none, valid: [vector(part)] }).valid[0];

describe("a deadline", () => {
  it.each<[Json, Json]>([
    ["2026-01-15T09:30:00Z", "2126-01-15T09:30:00Z"],
    ["1999-12-31T23:59:59Z", "2199-12-31T23:59:59Z"],
    ["2024-02-29T00:00:00+05:30", "2124-02-29T00:00:00+05:30"],
    ["2126-01-15T09:30:00Z", "2126-01-15T09:30:00Z"],
    ["yesterday", "yesterday"],
    [null, null],
  ])("%s becomes %s, and other values stay", (before, after) => {
    const sent = "2026-01-15T09:30:00Z";
    expect(late({ data: { sent, due: before, job: { until: before } } })?.data).toEqual({
      sent,
      due: after,
      job: { until: after },
    });
  });

  it("is still the target of the change, regardless of the part that the change sets", () => {
    const parent = { due: "2026-01-15T09:30:00Z", job: { until: "2026-01-15T09:30:00Z" } };
    const until = "2027-01-15T09:30:00Z";
    for (const change of [
      { op: "replace" as const, path: "/job/until", value: until },
      { op: "replace" as const, path: "/job", value: { until } },
      { op: "replace" as const, path: "", value: { due: until } },
      { op: "remove" as const, path: "/job" },
    ]) {
      const child = late({ data: applyChanges(parent, [change]) as Json, change: [change] });
      expect(applyChanges(late({ data: parent })?.data as Json, child?.change ?? [])).toEqual(child?.data);
    }
  });

  it("is the value that the description names", () => {
    const value = "2026-01-15T09:30:00";
    const description = `due is "${value}", no date-time`;
    const change = [{ op: "replace" as const, path: "/due", value }];
    expect(late({ description, data: { due: value }, change })?.description).toBe(
      'due is "2126-01-15T09:30:00", no date-time',
    );
  });
});
