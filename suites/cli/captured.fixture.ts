import { afterEach, beforeEach, vi } from "vitest";

/** The output of a test's commands so far. */
export interface CapturedOutput {
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
}

/** Captures the output of each test in the file instead of printing it. Both members are empty when a test starts. */
export function captureOutput(): CapturedOutput {
  const printed: CapturedOutput = { out: "", err: "" };
  beforeEach(() => {
    Object.assign(printed, { out: "", err: "" });
    for (const [name, stream] of [
      ["out", process.stdout],
      ["err", process.stderr],
    ] as const)
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        printed[name] += chunk;
        return true;
      });
  });
  afterEach(() => vi.restoreAllMocks());
  return printed;
}
