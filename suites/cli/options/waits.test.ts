import { expect, it, vi } from "vitest";
import { paceLine, tellWaiting } from "./waits.ts";

it("announces how long a run may wait, except for a reference or a command", () => {
  let err = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
  const none = { milliseconds: 0, scenarios: 0 };
  const bounds = { ...none, skipped: none, perhaps: { milliseconds: 64_000, scenarios: 1 } };
  tellWaiting(bounds, { kind: "reference" });
  expect(err).toBe("");
  tellWaiting(bounds, { kind: "http" });
  expect(err).toBe(
    'hook "clock": no waiting, if it moves every timer of the target; if not, 1 scenario may wait up to 64 s, ' +
      "regardless of --max-wait (--skip leaves scenarios out)\n",
  );
  err = "";
  tellWaiting({ ...bounds, sayable: ["pushes"] }, { kind: "http" });
  expect(err).toMatch(/\(--skip leaves scenarios out\); a hook that moves .* may answer "pushes": true, .*\n$/);
  err = "";
  const limitedBounds = { milliseconds: 60_000, scenarios: ["limits-pace"] };
  tellWaiting({ ...bounds, perhaps: none, limited: limitedBounds }, { kind: "http" });
  expect(err).toMatch(/^limits-pace: .* up to 60 s of waiting .*, unless a hook "clock" moves the limit too\n$/);
  err = "";
  tellWaiting({ ...bounds, limited: limitedBounds }, { kind: "reference" });
  expect(err).toBe("");
  tellWaiting({ milliseconds: 38_000, scenarios: 6, skipped: none, perhaps: none }, { kind: "http" });
  expect(err).toBe('no hook "clock": up to 38 s of waiting in 6 scenarios\n');
  err = "";
  tellWaiting({ milliseconds: 15_000, scenarios: 1, skipped: none, perhaps: none }, { kind: "command" });
  expect(err).toBe('unless the command answers "clock": up to 15 s of waiting in 1 scenario\n');
  write.mockRestore();
});

it("announces how long a run waits because of a published rate limit, if it waits", () => {
  const paced = { protocol: "ahcp", perMinute: 120 };
  expect(paceLine({ ...paced, messages: 120 })).toBe("");
  expect(paceLine({ ...paced, messages: 121 })).toMatch(
    /^ahcp: up to 1 min of waiting for 121 messages, .* 120 a minute/,
  );
  expect(paceLine({ ...paced, messages: 1458 })).toMatch(/^ahcp: up to 12 min of waiting for 1458 messages, /);
});
