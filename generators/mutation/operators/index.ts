import type { Operator } from "../mutant.ts";
import { absentConditionOperator } from "./absent-condition.ts";
import { boundOperator } from "./bound.ts";
import { branchOperator } from "./branch.ts";
import { conditionOperator } from "./condition.ts";
import { containsOperator } from "./contains.ts";
import { declaredElsewhereOperator } from "./declared-elsewhere.ts";
import { dependencyOperator } from "./dependency.ts";
import { droppedKeywordOperator } from "./dropped-keyword.ts";
import { emptyValueOperator } from "./empty-value.ts";
import { enumOperator } from "./enum.ts";
import { firstItemOperator } from "./first-item.ts";
import { foreignWordOperator } from "./foreign-word.ts";
import { formatOperator } from "./format.ts";
import { laxTypeOperator } from "./lax-type.ts";
import { lengthOperator } from "./length.ts";
import { tupleOperator } from "./longer-tuple.ts";
import { missingDefaultOperator } from "./missing-default.ts";
import { multipleOperator } from "./multiple.ts";
import { namePatternOperator } from "./name-pattern.ts";
import { numberRangeOperator } from "./number-range.ts";
import { oneOfManyOperator } from "./one-of-many.ts";
import { openMembersOperator } from "./open-members.ts";
import { stepOperator } from "./other-step.ts";
import { patternOperator } from "./pattern.ts";
import { prototypeOperator } from "./prototype.ts";
import { referenceOperator } from "./reference.ts";
import { requiredOperator } from "./required.ts";
import { siblingsOperator } from "./siblings.ts";
import { typeOperator } from "./type.ts";
import { uniqueOperator } from "./unique.ts";
import { unstatedLimitOperator } from "./unstated-limit.ts";

/** All operators. Their order is the order of the mutants of a schema. */
export const operators: readonly Operator[] = [
  droppedKeywordOperator,
  requiredOperator,
  typeOperator,
  enumOperator,
  boundOperator,
  containsOperator,
  patternOperator,
  openMembersOperator,
  branchOperator,
  conditionOperator,
  referenceOperator,
  siblingsOperator,
  laxTypeOperator,
  emptyValueOperator,
  lengthOperator,
  formatOperator,
  numberRangeOperator,
  prototypeOperator,
  firstItemOperator,
  multipleOperator,
  uniqueOperator,
  tupleOperator,
  absentConditionOperator,
  dependencyOperator,
  stepOperator,
  foreignWordOperator,
  namePatternOperator,
  oneOfManyOperator,
  declaredElsewhereOperator,
  missingDefaultOperator,
  unstatedLimitOperator,
];
