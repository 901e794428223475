import { describe, expect, it } from "vitest";
import { cutMessage } from "./following.ts";

describe("cutMessage", () => {
  it("cuts within a character, even if the receiver gets several pieces as one", () => {
    const message = { text: "\u{1f309}".repeat(3) };
    const pieces = cutMessage(message);
    expect(Buffer.concat(pieces).toString()).toContain(JSON.stringify(message));
    expect(pieces).toHaveLength(4);
    for (const index of pieces.keys()) {
      const alone = new TextDecoder("utf-8", { fatal: true });
      expect(() => alone.decode(pieces[index])).toThrow();
      if (index < pieces.length - 1) expect(() => alone.decode(Buffer.concat(pieces.slice(0, index + 1)))).toThrow();
    }
  });
});
