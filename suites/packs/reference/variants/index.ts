import { acceptAll } from "./accept-all.ts";
import { anyCaseNames } from "./any-case-names.ts";
import { booleanIntegers } from "./boolean-integers.ts";
import { closedObjects } from "./closed-objects.ts";
import { draft07 } from "./draft-07.ts";
import { firstErrorOnly } from "./first-error-only.ts";
import { integerStrings } from "./integer-strings.ts";
import { lineFeeds } from "./line-feeds.ts";
import { loosePatterns } from "./loose-patterns.ts";
import { noConditionals } from "./no-conditionals.ts";
import { noFormats } from "./no-formats.ts";
import { openObjects } from "./open-objects.ts";
import { plainIntegers } from "./plain-integers.ts";
import { rejectAll } from "./reject-all.ts";
import { roundedIntegers } from "./rounded-integers.ts";
import { schemaOnly } from "./schema-only.ts";
import { utf16Length } from "./utf16-length.ts";
import type { Variant } from "./variant.ts";

/** All variants, crudest first. */
export const allVariants: readonly Variant[] = [
  acceptAll,
  rejectAll,
  schemaOnly,
  noFormats,
  noConditionals,
  draft07,
  utf16Length,
  lineFeeds,
  loosePatterns,
  openObjects,
  closedObjects,
  anyCaseNames,
  integerStrings,
  booleanIntegers,
  plainIntegers,
  roundedIntegers,
  firstErrorOnly,
];
