import { expect, it, vi } from "vitest";
import { tellWaiting } from "./waiting.ts";

it("says what may be waited for though there is a clock, and not of a reference", () => {
  let err = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
  const none = { milliseconds: 0, scenarios: 0 };
  const waiting = { ...none, skipped: none, perhaps: { milliseconds: 64_000, scenarios: 1 } };
  tellWaiting(waiting, { kind: "reference" });
  expect(err).toBe("");
  tellWaiting(waiting, { kind: "http" });
  expect(err).toBe(
    'hook "clock": no waiting, if it moves every timer of the target; if not, 1 scenario may wait up to 64 s, ' +
      "whatever --max-wait says (--skip leaves scenarios out)\n",
  );
  err = "";
  tellWaiting({ milliseconds: 38_000, scenarios: 6, skipped: none, perhaps: none }, { kind: "http" });
  expect(err).toBe('no hook "clock": up to 38 s of waiting in 6 scenarios\n');
  write.mockRestore();
});
