import { branch } from "./branch.ts";
import { closedObjectFamily } from "./closed.ts";
import { count } from "./count.ts";
import { enumeration } from "./enum.ts";
import type { Family } from "./fault.ts";
import { forbiddenFamily } from "./forbidden.ts";
import { format } from "./format.ts";
import { length } from "./length.ts";
import { missingMemberFamily } from "./missing-member.ts";
import { name } from "./name.ts";
import { otherValueFamily } from "./other.ts";
import { pattern } from "./pattern.ts";
import { range } from "./range.ts";
import { type } from "./type.ts";
import { repeatedItemFamily } from "./unique.ts";

/** All families, in the order of their vectors. */
export const families: readonly Family[] = [
  missingMemberFamily,
  type,
  enumeration,
  pattern,
  format,
  length,
  range,
  count,
  repeatedItemFamily,
  closedObjectFamily,
  name,
  forbiddenFamily,
  branch,
  otherValueFamily,
];
