import { expect, it } from "vitest";
import { refusedFor } from "./refusal-hint.ts";

it("distinguishes a wrong clock and a wrong signature from wrong credentials by the server's words", () => {
  for (const said of ["clock_skew", "the timestamp is too far away", '{"error":{"code":"stale"}}'])
    expect(refusedFor(said), said).toMatch(/clocks/);
  for (const said of ["bad_signature", '{"error":"not signed by its sender"}'])
    expect(refusedFor(said), said).toMatch(/keys/);
  for (const said of ["", '{"error":{"code":"unauthenticated","message":"no credential"}}', "unassigned"])
    expect(refusedFor(said), said).toBeUndefined();
});
