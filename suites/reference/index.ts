export { ruleVariants, startReference, type VariantSummary, variants } from "./start.ts";
