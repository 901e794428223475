import type { Variant } from "./variant.ts";

export const firstErrorOnly: Variant = {
  name: "first-error-only",
  description: "reports only its first error, as a conforming implementation may",
  conforms: () => true,
  wrapJudge: (judge) => (document, value) => judge(document, value).slice(0, 1),
};
