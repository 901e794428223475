import fc from "fast-check";
import { expect, it } from "vitest";
import { createLineReader } from "../../targets/command/lines.ts";
import { gatherChunks } from "./chunks.ts";

it("joins chunks of any size, even after it was cleared", () => {
  const gathered = gatherChunks();
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 20 }), (chunks) => {
      gathered.clear();
      for (const chunk of chunks) gathered.add(chunk);
      expect(gathered.size).toBe(chunks.reduce((sum, { length }) => sum + length, 0));
      const wholeBytes = gathered.join();
      expect(wholeBytes.equals(Buffer.concat(chunks))).toBe(true);
      gathered.add(Buffer.from("more"));
      expect(wholeBytes.equals(Buffer.concat(chunks))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("frees the large buffers behind small chunks", () => {
  const gathered = gatherChunks();
  const lineReader = createLineReader(() => {});
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 3000; count++) {
    // As a socket delivers it: one byte in a buffer of 64 KiB.
    const chunk = Buffer.allocUnsafeSlow(65_536).subarray(0, 1).fill(97);
    gathered.add(chunk);
    lineReader.push(chunk);
  }
  globalThis.gc?.();
  expect(gathered.join().toString()).toBe("a".repeat(3000));
  if (globalThis.gc !== undefined) expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 2 ** 20);
});
