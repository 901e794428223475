import { afterEach, beforeEach, vi } from "vitest";

/** What the commands of a test have printed so far. */
export interface Captured {
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
}

/** Captures what each test of the file prints, instead of showing it; both start empty for each test. */
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
