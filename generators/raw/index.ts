import { bigNumberFamily } from "./faults/big-numbers.ts";

import { comma } from "./faults/comma.ts";
import { comment } from "./faults/comment.ts";
import { control } from "./faults/control.ts";
import { emptyTextFamily } from "./faults/empty.ts";
import { encoding } from "./faults/encoding.ts";
import { badEscape } from "./faults/escape.ts";
import { literal } from "./faults/literal.ts";
import { byteOrderMark } from "./faults/mark.ts";
import { member } from "./faults/member.ts";
import { nestingFamily } from "./faults/nesting.ts";
import { number } from "./faults/number.ts";
import { prototype } from "./faults/prototype.ts";
import { quote } from "./faults/quote.ts";
import { repeatedNameFamily } from "./faults/repeated.ts";
import { repeatedItemFamily } from "./faults/repeated-items.ts";
import { surrogate } from "./faults/surrogate.ts";
import { trailingDataFamily } from "./faults/trailing.ts";
import { truncatedFamily } from "./faults/truncated.ts";
import { utf8 } from "./faults/utf8.ts";
import { whiteSpace } from "./faults/white-space.ts";
import type { RawFamily } from "./raw.ts";
import { numeral } from "./rewrites/numeral.ts";
import { order } from "./rewrites/order.ts";
import { ordinaryNameFamily } from "./rewrites/ordinary-names.ts";
import { spacing } from "./rewrites/spacing.ts";
import { spelling } from "./rewrites/spelling.ts";

/** All families, in the order of their vectors: first texts that must be read, then invalid texts, then texts with an open verdict. */
export const rawFamilies: readonly RawFamily[] = [
  order,
  spacing,
  spelling,
  numeral,
  ordinaryNameFamily,
  emptyTextFamily,
  truncatedFamily,
  trailingDataFamily,
  comma,
  member,
  quote,
  comment,
  whiteSpace,
  literal,
  number,
  control,
  badEscape,
  utf8,
  encoding,
  byteOrderMark,
  surrogate,
  repeatedNameFamily,
  prototype,
  nestingFamily,
  bigNumberFamily,
  repeatedItemFamily,
];
