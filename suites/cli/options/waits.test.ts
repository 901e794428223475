import { expect, it, vi } from "vitest";
import { announceWaits, formatPaceWait } from "./waits.ts";

it("announces how long a run may wait, unless its target is the reference", () => {
  let output = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    output += chunk;
    return true;
  });
  const noWaits = { milliseconds: 0, scenarios: 0 };
  const bounds = { ...noWaits, skipped: noWaits, perhaps: { milliseconds: 64_000, scenarios: 1 } };
  announceWaits(bounds, { kind: "reference" });
  expect(output).toBe("");
  announceWaits(bounds, { kind: "http" });
  expect(output).toBe(
    'hook "clock": no waiting, if it moves every timer of the target; if not, 1 scenario may wait up to 64 s, ' +
      "regardless of --max-wait (--skip leaves scenarios out)\n",
  );
  output = "";
  announceWaits({ ...bounds, sayable: ["pushes"] }, { kind: "http" });
  expect(output).toMatch(/\(--skip leaves scenarios out\); a hook that moves .* may answer "pushes": true, .*\n$/);
  output = "";
  const limitedBounds = { milliseconds: 60_000, scenarios: ["limits-pace"] };
  announceWaits({ ...bounds, perhaps: noWaits, limited: limitedBounds }, { kind: "http" });
  expect(output).toMatch(/^limits-pace: .* up to 60 s of waiting .*, unless a hook "clock" moves the limit too\n$/);
  output = "";
  announceWaits({ ...bounds, limited: limitedBounds }, { kind: "reference" });
  expect(output).toBe("");
  announceWaits({ milliseconds: 38_000, scenarios: 6, skipped: noWaits, perhaps: noWaits }, { kind: "http" });
  expect(output).toBe('no hook "clock": up to 38 s of waiting in 6 scenarios\n');
  output = "";
  announceWaits({ milliseconds: 15_000, scenarios: 1, skipped: noWaits, perhaps: noWaits }, { kind: "command" });
  expect(output).toBe('unless the command answers "clock": up to 15 s of waiting in 1 scenario\n');
  write.mockRestore();
});

it("announces waits for a published rate limit only if the run exceeds it", () => {
  const limit = { protocol: "ahcp", perMinute: 120 };
  expect(formatPaceWait({ ...limit, messages: 120 })).toBe("");
  expect(formatPaceWait({ ...limit, messages: 121 })).toMatch(
    /^ahcp: up to 1 min of waiting for 121 messages, .* 120 a minute/,
  );
  expect(formatPaceWait({ ...limit, messages: 1458 })).toMatch(/^ahcp: up to 12 min of waiting for 1458 messages, /);
});
