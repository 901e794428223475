import { describe, expect, it } from "vitest";
import { whenAborted } from "./abort.ts";

describe("listeners of a shared signal", () => {
  it("are called once each when it aborts, except those that were cancelled", () => {
    const controller = new AbortController();
    const called: string[] = [];
    whenAborted(controller.signal, () => called.push("first"));
    const leave = whenAborted(controller.signal, () => called.push("gone"));
    whenAborted(controller.signal, () => called.push("last"));
    leave();
    expect(called).toEqual([]);
    controller.abort();
    controller.signal.dispatchEvent(new Event("abort"));
    expect(called).toEqual(["first", "last"]);
  });

  it("hear only of their own signal, and may be cancelled while others are called", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const called: string[] = [];
    let leave = (): void => {};
    whenAborted(one.signal, () => leave());
    leave = whenAborted(one.signal, () => called.push("left"));
    whenAborted(other.signal, () => called.push("other"));
    one.abort();
    expect(called).toEqual([]);
  });
});
