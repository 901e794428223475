import { emptyList, nullForAbsent } from "./absence.ts";
import type { Confusion } from "./confusion.ts";
import { caseOfNames } from "./names.ts";
import { numbers } from "./numbers.ts";
import { texts } from "./texts.ts";
import { types } from "./types.ts";

/** The confusions of JSON libraries at a member, in the order of the table. */
export const confusions: readonly Confusion[] = [nullForAbsent, emptyList, ...numbers, ...types, caseOfNames, ...texts];
