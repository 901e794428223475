export { startReference, type VariantSummary, variants } from "./start.ts";
