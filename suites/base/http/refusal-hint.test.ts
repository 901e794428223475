import { expect, it } from "vitest";
import { refusedFor } from "./refusal-hint.ts";

it("distinguishes a wrong clock and a wrong signature from wrong credentials by the server's words", () => {
  for (const output of ["clock_skew", "the timestamp is too far away", '{"error":{"code":"stale"}}'])
    expect(refusedFor(output), output).toMatch(/clocks/);
  for (const output of ["bad_signature", '{"error":"not signed by its sender"}'])
    expect(refusedFor(output), output).toMatch(/keys/);
  for (const output of ["", '{"error":{"code":"unauthenticated","message":"no credential"}}', "unassigned"])
    expect(refusedFor(output), output).toBeUndefined();
});
