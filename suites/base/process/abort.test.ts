import { describe, expect, it } from "vitest";
import { whenAborted } from "./abort.ts";

describe("waiting for a signal", () => {
  it("are called once each when it aborts, those excepted who wait no longer", () => {
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

  it("hear of their own signal only, and may leave while others are called", () => {
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
