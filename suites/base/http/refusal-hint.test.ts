import { expect, it } from "vitest";
import { hintForRefusal } from "./refusal-hint.ts";

it("distinguishes a wrong clock and a wrong signature from wrong credentials by the server's words", () => {
  for (const answerText of ["clock_skew", "the timestamp is too far away", '{"error":{"code":"stale"}}'])
    expect(hintForRefusal(answerText), answerText).toMatch(/clocks/);
  for (const output of ["bad_signature", '{"error":"not signed by its sender"}'])
    expect(hintForRefusal(output), output).toMatch(/keys/);
  for (const answerText of ["", '{"error":{"code":"unauthenticated","message":"no credential"}}', "unassigned"])
    expect(hintForRefusal(answerText), answerText).toBeUndefined();
});
