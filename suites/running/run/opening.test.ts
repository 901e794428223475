import { expect, it } from "vitest";
import type { Target } from "../../../schemas/index.ts";
import { sampleProtocol } from "../../packs/corpus/sample.fixture.ts";
import { openTarget } from "./opening.ts";

const protocol = sampleProtocol();

/** A target that the test opens. */
function makeSlowTarget(): { target: Target; open(): void; log: string[] } {
  const log: string[] = [];
  let open = (): void => {};
  const target = {
    open: () => {
      log.push("open");
      return new Promise<void>((resolve) => (open = resolve));
    },
    close: async () => void log.push("close"),
  } as Partial<Target> as Target;
  return { target, open: () => open(), log };
}

it("stops waiting for a target at the signal, and closes it once it is open", async () => {
  const stop = new AbortController();
  const { target, open, log } = makeSlowTarget();
  const opening = openTarget(target, protocol, stop.signal);
  stop.abort();
  await expect(opening).rejects.toMatchObject({ kind: "target", message: /interrupted/ });
  open();
  await new Promise(setImmediate);
  // There was nothing to close yet when it was stopped.
  expect(log).toEqual(["open", "close"]);
});

it("does not close a target that was open before the signal", async () => {
  const stop = new AbortController();
  const { target, open, log } = makeSlowTarget();
  const opening = openTarget(target, protocol, stop.signal);
  open();
  await opening;
  stop.abort();
  await new Promise(setImmediate);
  expect(log).toEqual(["open"]);
});

it("opens nothing after the signal", async () => {
  const { target, log } = makeSlowTarget();
  await expect(openTarget(target, protocol, AbortSignal.abort())).rejects.toThrow("interrupted");
  expect(log).toEqual([]);
});
