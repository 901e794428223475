import { readTime } from "../../../packs/twins/time.ts";
import type { Strict } from "./check.ts";

/** A date and time by RFC 3339. */
export const timestampPattern: RegExp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

/** The freedom to refuse each unusual feature of a time. */
const freedomByFeature = { "year-0": "year-zero", "hour-24": "hour-24", leap: "leap-seconds" } as const;

/** Whether a well-formed time exists, with these freedoms. */
export function isInstant(text: string, strict: Strict): boolean {
  const { features } = readTime(text) ?? {};
  if (features === undefined || features.has("leap-elsewhere")) return false;
  return Object.entries(freedomByFeature).every(
    ([feature, freedom]) => !features.has(feature as keyof typeof freedomByFeature) || !strict(freedom),
  );
}
