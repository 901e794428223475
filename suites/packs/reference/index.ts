export {
  conductVariants,
  listVariants,
  type Referenced,
  ruleVariants,
  startReference,
  type VariantSummary,
} from "./start.ts";
