import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isCounted, isDerived, isGrowing } from "./opacity.ts";

const makeSamples = <T>(create: (index: number) => T): T[] => Array.from({ length: 20 }, (_, index) => create(index));
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

describe("counted ids", () => {
  it.each([
    ["decimal", (index: number) => `res_${index + 1}`],
    ["decimal across an order of magnitude", (index: number) => `res-${index + 95}-x`],
    ["hexadecimal", (index: number) => `res_7f${(index + 250).toString(16).padStart(8, "0")}`],
    ["hexadecimal with some gaps", (index: number) => `res_7f${(index + (index >> 3) + 250).toString(16)}`],
    ["hexadecimal with many gaps", (index: number) => `res_7f${(index * 5 + (index % 3)).toString(16)}`],
    ["in steps of ten", (index: number) => `res_${index * 10 + 1000}`],
    ["in base 36", (index: number) => `res_${(index + 1290).toString(36)}`],
    ["backwards", (index: number) => `res_${5000 - index}`],
  ])("are detected: %s", (_, make) => {
    expect(isCounted(makeSamples(make))).toBe(true);
  });

  it.each([
    ["random bytes", () => `res_${randomBytes(16).toString("base64url")}`],
    ["random UUIDs", () => randomUUID()],
    ["random digits", (index: number) => `res_${(index * 7919 + 13) % 1009}`],
    // Within one millisecond, such ids increase by one in base 32.
    ["monotonic ULIDs of one millisecond", (index: number) => `01HZXR3S0LVE0000000000000${crockford[index]}`],
    ["equal ids", () => "res_1"],
  ])("are not %s", (_, make) => {
    expect(isCounted(makeSamples(make))).toBe(false);
  });
});

describe("growing ids", () => {
  it.each([
    ["times", (index: number) => `res_${1764000000000 + index * index}`],
    ["times and counters", (index: number) => `res_${1764000000000 + Math.floor(index / 3)}-${index + 9}`],
    ["counters with varying steps", (index: number) => `${index * 3 + (index % 2)}`],
  ])("are %s", (_, make) => {
    expect(isGrowing(makeSamples(make))).toBe(true);
  });

  it.each([
    ["random UUIDs", () => randomUUID()],
    ["times with a random part", (index: number) => `${1764000000000 + index}-${randomUUID()}`],
    [
      "times with random digits",
      (index: number) => `${1764000000000 + index}${(index * 7919 + 13) % 1009}-${(index * 7919) % 1009}`,
    ],
    ["equal ids", () => "res_1"],
  ])("are not %s", (_, make) => {
    expect(isGrowing(makeSamples(make))).toBe(false);
  });
});

describe("ids derived from those of messages", () => {
  const messageIds = makeSamples((index) => `msg_${randomBytes(9).toString("hex")}${index}`);
  const outcomesNamed = (createId: (ownPart: string) => string) =>
    messageIds.map((message) => ({ message, outcome: createId(message.slice(4)) }));

  it("are detected if they contain the id of the message and nothing else that varies", () => {
    expect(isDerived(outcomesNamed((ownPart) => `res_${ownPart}`))).toBe(true);
    expect(isDerived(outcomesNamed((ownPart) => `res_${ownPart}.1`))).toBe(true);
  });

  it("are not ids with a random part or unrelated ids", () => {
    expect(isDerived(outcomesNamed((ownPart) => `res_${ownPart}_${randomUUID()}`))).toBe(false);
    expect(isDerived(outcomesNamed(() => randomUUID()))).toBe(false);
  });
});
