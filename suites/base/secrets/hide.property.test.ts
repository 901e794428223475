import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echoes, secrets } from "./encodings.fixture.ts";
import { isRevealed } from "./found.fixture.ts";
import { createHider } from "./hide.ts";

describe("a hidden secret", () => {
  it("is never revealed, no matter how it was encoded", () => {
    fc.assert(
      fc.property(
        echoes,
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        ({ secret, echo }, prefix, suffix) => {
          const hidden = createHider([secret]).text(`${prefix} ${echo} ${suffix}`);
          expect(isRevealed(secret, hidden)).toBe(false);
          expect(hidden).toContain("[redacted]");
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("is not revealed if it is split between several members", () => {
    fc.assert(
      fc.property(secrets, fc.nat(), (secret, offset) => {
        // A quote that closes a member may complete a secret, and then the rest is not JSON.
        fc.pre(!secret.includes('"'));
        const splitAt = 1 + (offset % (secret.length - 1));
        const halves = { code: secret.slice(0, splitAt), message: secret.slice(splitAt) };
        const body = JSON.stringify({ error: halves, deep: [[halves.code], halves.message] });
        expect(createHider([secret]).text(body)).toBe("[redacted]");
        const { code, message } = halves;
        expect(createHider([secret]).texts([code, message])).toEqual(["[redacted]", "[redacted]"]);
      }),
      { numRuns: 200 },
    );
  });

  it("is hidden completely if a text was truncated within it", () => {
    fc.assert(
      fc.property(secrets, fc.integer({ min: 4, max: 11 }), (secret, length) => {
        const hidden = createHider([secret]).text(`it said ${secret.slice(0, length)}… (900 characters)`);
        expect(hidden).not.toContain(secret.slice(0, length));
      }),
      { numRuns: 200 },
    );
  });

  it("is the only text that is hidden", () => {
    const hide = createHider(["tök€n-with-more", "short", "correct horse"]);
    expect(hide.text("a short word \\u0041 %41 &amp; {}")).toBe("a short word \\u0041 %41 &amp; {}");
    expect(hide.texts(["as it is", "", "and else"])).toEqual(["as it is", "", "and else"]);
    expect(hide.text("T%C3%B6k%e2%82%acn-with-more!")).toBe("[redacted]!");
    expect(hide.text("correct%20horse, correct\\u0020horse")).toBe("[redacted], [redacted]");
    expect(createHider([]).texts(["anything"])).toEqual(["anything"]);
  });
});
