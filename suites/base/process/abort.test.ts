import { describe, expect, it } from "vitest";
import { whenAborted } from "./abort.ts";

describe("listeners of a shared signal", () => {
  it("are called once each when it aborts, except those that were cancelled", () => {
    const controller = new AbortController();
    const calls: string[] = [];
    whenAborted(controller.signal, () => calls.push("first"));
    const cancel = whenAborted(controller.signal, () => calls.push("gone"));
    whenAborted(controller.signal, () => calls.push("last"));
    cancel();
    expect(calls).toEqual([]);
    controller.abort();
    controller.signal.dispatchEvent(new Event("abort"));
    expect(calls).toEqual(["first", "last"]);
  });

  it("are called only for their own signal, and may be cancelled while others are called", () => {
    const [firstController, secondController] = [new AbortController(), new AbortController()];
    const calls: string[] = [];
    let cancel = (): void => {};
    whenAborted(firstController.signal, () => cancel());
    cancel = whenAborted(firstController.signal, () => calls.push("left"));
    whenAborted(secondController.signal, () => calls.push("other"));
    firstController.abort();
    expect(calls).toEqual([]);
  });
});
