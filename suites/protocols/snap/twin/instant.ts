import { readTime } from "../../../packs/twins/time.ts";
import type { Strict } from "./check.ts";

export const iso: RegExp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

const freedoms = { "year-0": "year-zero", "hour-24": "hour-24", leap: "leap-seconds" } as const;

/** Whether a well-formed time exists. */
export function isInstant(text: string, strict: Strict): boolean {
  const { features: remarks } = readTime(text) ?? {};
  if (remarks === undefined || remarks.has("leap-elsewhere")) return false;
  return Object.entries(freedoms).every(
    ([remark, freedom]) => !remarks.has(remark as keyof typeof freedoms) || !strict(freedom),
  );
}
