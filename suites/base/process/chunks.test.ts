import fc from "fast-check";
import { expect, it } from "vitest";
import { createLineReader } from "../../targets/command/lines.ts";
import { gatherChunks } from "./chunks.ts";

it("gathers parts of any size, even after it was cleared", () => {
  const bytes = gatherChunks();
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 20 }), (chunks) => {
      bytes.clear();
      for (const chunk of chunks) bytes.add(chunk);
      expect(bytes.size).toBe(chunks.reduce((sum, { length }) => sum + length, 0));
      const wholeBytes = bytes.bytes();
      expect(wholeBytes.equals(Buffer.concat(chunks))).toBe(true);
      bytes.add(Buffer.from("more"));
      expect(wholeBytes.equals(Buffer.concat(chunks))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("needs little memory for many small chunks, each a slice of a large buffer", () => {
  const bytes = gatherChunks();
  const read = createLineReader(() => {});
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 3000; count++) {
    // As a socket delivers it: one byte in a buffer of 64 KiB.
    const chunk = Buffer.allocUnsafeSlow(65_536).subarray(0, 1).fill(97);
    bytes.add(chunk);
    read.push(chunk);
  }
  globalThis.gc?.();
  expect(bytes.bytes().toString()).toBe("a".repeat(3000));
  if (globalThis.gc !== undefined) expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 2 ** 20);
});
