import type { Json } from "../../schemas/index.ts";
import { type Confusion, type MemberPlace, valueConfusion } from "./confusion.ts";

const isInteger = ({ types }: MemberPlace): boolean => types.has("integer") || types.has("number");
const twoTo32 = 2 ** 32;
const twoTo64 = 2n ** 64n;

/** Numbers near a valid integer, or near a few common ones. */
function numbersAround(value: Json | undefined): number[] {
  return typeof value === "number" ? [value] : [1, 60, 0, 1000];
}

/** Whether a number is an integer that does not fit into this many bits plus a sign. */
function exceedsBits(value: Json, bits: 31 | 63): value is number {
  return typeof value === "number" && Number.isInteger(value) && (value >= 2 ** bits || value < -(2 ** bits));
}

export const numbers: readonly Confusion[] = [
  valueConfusion({
    name: "wrapped-32",
    says: "an integer is cut to 32 bits",
    shown: "is an integer that some readers cut to 32 bits",
    appliesTo: isInteger,
    value: (value) => (exceedsBits(value, 31) ? { value: Number(BigInt.asIntN(32, BigInt(value))) } : undefined),
    near: (value) => numbersAround(value).map((each) => Math.trunc(each) + twoTo32),
  }),
  valueConfusion({
    name: "refused-32",
    says: "an integer beyond 32 bits is refused",
    shown: "is an integer that does not fit into 32 bits",
    appliesTo: isInteger,
    value: (value) => (exceedsBits(value, 31) ? "refused" : undefined),
    near: () => [twoTo32 / 2, twoTo32, twoTo32 * 1000],
  }),
  valueConfusion({
    name: "wrapped-64",
    says: "an integer is cut to 64 bits",
    shown: "is an integer that some readers cut to 64 bits",
    appliesTo: isInteger,
    value: (value) => (exceedsBits(value, 63) ? { value: Number(BigInt.asIntN(64, BigInt(value))) } : undefined),
    // Modulo 2^64 these are 0, 4096 and 8192.
    near: () => [twoTo64, twoTo64 + 4096n, twoTo64 + 8192n].map(Number),
  }),
  valueConfusion({
    name: "refused-64",
    says: "an integer beyond 64 bits is refused",
    shown: "is an integer that does not fit into 64 bits",
    appliesTo: isInteger,
    value: (value) => (exceedsBits(value, 63) ? "refused" : undefined),
    near: () => [2 ** 64],
  }),
  valueConfusion({
    name: "held-64",
    says: "an integer beyond 64 bits becomes the largest 64-bit integer",
    shown: "is an integer that does not fit into 64 bits",
    appliesTo: isInteger,
    value: (value) => (exceedsBits(value, 63) ? { value: value > 0 ? 2 ** 63 : -(2 ** 63) } : undefined),
    near: () => [2 ** 64, -(2 ** 64)],
  }),
  valueConfusion({
    name: "cut-fraction",
    says: "the fraction is cut off if the schema expects an integer",
    shown: "has a fraction, which some readers cut off",
    appliesTo: ({ types }) => types.has("integer"),
    value: (value) => (isFraction(value) ? { value: Math.trunc(value) } : undefined),
    near: (value) => numbersAround(value).map((each) => each + 0.5),
  }),
  valueConfusion({
    name: "rounded",
    says: "a number is rounded if the schema expects an integer",
    shown: "has a fraction, which some readers round",
    appliesTo: ({ types }) => types.has("integer"),
    value: (value) => (isFraction(value) ? { value: Math.round(value) } : undefined),
    near: (value) => numbersAround(value).flatMap((each) => [each + 0.5, each + 0.25]),
  }),
  valueConfusion({
    name: "single-precision",
    says: "a number is kept with 24 bits, as by float",
    shown: "has more digits than a 32-bit float keeps",
    appliesTo: ({ types }) => types.has("number"),
    value: (value) =>
      typeof value === "number" && Math.fround(value) !== value && Number.isFinite(Math.fround(value))
        ? { value: Math.fround(value) }
        : undefined,
    near: (value) => numbersAround(value).flatMap((each) => [each + 1e-9, each - 1e-9, 1 + 1e-9, -1e-60]),
  }),
];

function isFraction(value: Json): value is number {
  return typeof value === "number" && !Number.isInteger(value) && Math.abs(value) < 2 ** 53;
}
