export {
  conductVariants,
  listVariants,
  type ReferencedProtocol as Referenced,
  ruleVariants,
  startReference,
  type VariantSummary,
} from "./start.ts";
