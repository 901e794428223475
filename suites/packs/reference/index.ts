export {
  conductVariants,
  type Referenced,
  ruleVariants,
  startReference,
  type VariantSummary,
  variants,
} from "./start.ts";
