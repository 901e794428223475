import { bigNumberFamily } from "./faults/big-numbers.ts";
import { commaFamily } from "./faults/comma.ts";
import { commentFamily } from "./faults/comment.ts";
import { controlCharacterFamily } from "./faults/control.ts";
import { emptyTextFamily } from "./faults/empty.ts";
import { encodingFamily } from "./faults/encoding.ts";
import { escapeFamily } from "./faults/escape.ts";
import { literalFamily } from "./faults/literal.ts";
import { byteOrderMarkFamily } from "./faults/mark.ts";
import { memberFamily } from "./faults/member.ts";
import { nestingFamily } from "./faults/nesting.ts";
import { numberFamily } from "./faults/number.ts";
import { prototypeFamily } from "./faults/prototype.ts";
import { quoteFamily } from "./faults/quote.ts";
import { repeatedNameFamily } from "./faults/repeated.ts";
import { repeatedItemFamily } from "./faults/repeated-items.ts";
import { surrogateFamily } from "./faults/surrogate.ts";
import { trailingDataFamily } from "./faults/trailing.ts";
import { truncatedFamily } from "./faults/truncated.ts";
import { utf8Family } from "./faults/utf8.ts";
import { whiteSpaceFamily } from "./faults/white-space.ts";
import type { RawFamily } from "./raw.ts";
import { numeralFamily } from "./rewrites/numeral.ts";
import { orderFamily } from "./rewrites/order.ts";
import { ordinaryNameFamily } from "./rewrites/ordinary-names.ts";
import { spacingFamily } from "./rewrites/spacing.ts";
import { spellingFamily } from "./rewrites/spelling.ts";

/** All families, in the order of their vectors: first valid texts, then invalid ones, then disputed ones. */
export const rawFamilies: readonly RawFamily[] = [
  orderFamily,
  spacingFamily,
  spellingFamily,
  numeralFamily,
  ordinaryNameFamily,
  emptyTextFamily,
  truncatedFamily,
  trailingDataFamily,
  commaFamily,
  memberFamily,
  quoteFamily,
  commentFamily,
  whiteSpaceFamily,
  literalFamily,
  numberFamily,
  controlCharacterFamily,
  escapeFamily,
  utf8Family,
  encodingFamily,
  byteOrderMarkFamily,
  surrogateFamily,
  repeatedNameFamily,
  prototypeFamily,
  nestingFamily,
  bigNumberFamily,
  repeatedItemFamily,
];
