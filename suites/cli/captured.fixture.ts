import { afterEach, beforeEach, vi } from "vitest";

/** What the commands of a test have printed so far. */
export interface Captured {
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
}

/** Captures the output of each test of the file instead of showing it; both texts are empty when a test starts. */
export function captureOutput(): Captured {
  const printed: Captured = { out: "", err: "" };
  beforeEach(() => {
    Object.assign(printed, { out: "", err: "" });
    for (const [name, stream] of [
      ["out", process.stdout],
      ["err", process.stderr],
    ] as const)
      vi.spyOn(stream, "write").mockImplementation((text) => {
        printed[name] += text;
        return true;
      });
  });
  afterEach(() => vi.restoreAllMocks());
  return printed;
}
