import { expect, it, vi } from "vitest";
import { closeAll } from "./closing.ts";

it("closes the last resource first, and skips any that fails or hangs", async () => {
  vi.useFakeTimers();
  try {
    const closedNames: string[] = [];
    const closers = [
      () => void closedNames.push("first"),
      () => new Promise<void>(() => closedNames.push("hangs")),
      () => {
        closedNames.push("fails");
        throw new Error("no");
      },
    ];
    const closed = closeAll(closers);
    await vi.advanceTimersByTimeAsync(4999);
    expect(closedNames).toEqual(["fails", "hangs"]);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(closedNames).toEqual(["fails", "hangs", "first"]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
