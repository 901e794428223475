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
const noVectors: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
const vector = (members: Partial<Vector>): Vector => ({ id: "a", description: "", needs: [], tags: [], ...members });
const postponed = (members: Partial<Vector>) =>
  postponeDeadlines(document, { ...noVectors, valid: [vector(members)] }).valid[0];

describe("a deadline", () => {
  it.each<[Json, Json]>([
    ["2026-01-15T09:30:00Z", "2126-01-15T09:30:00Z"],
    ["1999-12-31T23:59:59Z", "2199-12-31T23:59:59Z"],
    ["2024-02-29T00:00:00+05:30", "2124-02-29T00:00:00+05:30"],
    ["2126-01-15T09:30:00Z", "2126-01-15T09:30:00Z"],
    ["yesterday", "yesterday"],
    [null, null],
  ])("moves from %s to %s, and other values stay", (before, after) => {
    const sent = "2026-01-15T09:30:00Z";
    expect(postponed({ data: { sent, due: before, job: { until: before } } })?.data).toEqual({
      sent,
      due: after,
      job: { until: after },
    });
  });

  it("moves in the change too, whichever part of the message the change sets", () => {
    const parent = { due: "2026-01-15T09:30:00Z", job: { until: "2026-01-15T09:30:00Z" } };
    const until = "2027-01-15T09:30:00Z";
    for (const change of [
      { op: "replace" as const, path: "/job/until", value: until },
      { op: "replace" as const, path: "/job", value: { until } },
      { op: "replace" as const, path: "", value: { due: until } },
      { op: "remove" as const, path: "/job" },
    ]) {
      const child = postponed({ data: applyChanges(parent, [change]) as Json, change: [change] });
      expect(applyChanges(postponed({ data: parent })?.data as Json, child?.change ?? [])).toEqual(child?.data);
    }
  });

  it("moves in the description that quotes it", () => {
    const value = "2026-01-15T09:30:00";
    const description = `due is "${value}", no date-time`;
    const change = [{ op: "replace" as const, path: "/due", value }];
    expect(postponed({ description, data: { due: value }, change })?.description).toBe(
      'due is "2126-01-15T09:30:00", no date-time',
    );
  });
});
