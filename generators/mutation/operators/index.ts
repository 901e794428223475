import type { Operator } from "../mutant.ts";
import { absentConditionOperator } from "./absent-condition.ts";
import { boundOperator } from "./bound.ts";
import { branch } from "./branch.ts";
import { condition } from "./condition.ts";
import { contains } from "./contains.ts";
import { declaredElsewhereOperator } from "./declared-elsewhere.ts";
import { defaulted } from "./defaulted.ts";
import { dependency } from "./dependency.ts";
import { droppedKeywordOperator } from "./dropped-keyword.ts";
import { emptyValueOperator } from "./empty.ts";
import { enumeration } from "./enum.ts";
import { foreignWordOperator } from "./foreign-word.ts";
import { format } from "./format.ts";
import { integer } from "./integer.ts";
import { items } from "./items.ts";
import { laxType } from "./lax-type.ts";
import { length } from "./length.ts";
import { multiple } from "./multiple.ts";
import { namePattern } from "./name-pattern.ts";
import { oneOfMany } from "./one-of-many.ts";
import { openMembersOperator } from "./open-members.ts";
import { pattern } from "./pattern.ts";
import { prototype } from "./prototype.ts";
import { reference } from "./reference.ts";
import { requiredOperator } from "./required.ts";
import { siblings } from "./siblings.ts";
import { step } from "./step.ts";
import { tuple } from "./tuple.ts";
import { type } from "./type.ts";
import { uniqueItemsOperator } from "./unique.ts";
import { unstatedLimitOperator } from "./unlimited.ts";

/** All operators, in the order of their mutants. */
export const operators: readonly Operator[] = [
  droppedKeywordOperator,
  requiredOperator,
  type,
  enumeration,
  boundOperator,
  contains,
  pattern,
  openMembersOperator,
  branch,
  condition,
  reference,
  siblings,
  laxType,
  emptyValueOperator,
  length,
  format,
  integer,
  prototype,
  items,
  multiple,
  uniqueItemsOperator,
  tuple,
  absentConditionOperator,
  dependency,
  step,
  foreignWordOperator,
  namePattern,
  oneOfMany,
  declaredElsewhereOperator,
  defaulted,
  unstatedLimitOperator,
];
