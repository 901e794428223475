export { type HubOptions, type StartedHub, startHub } from "./ahcp/hub/start.ts";
export { conductVariants, ruleVariants, startReference, type VariantSummary, variants } from "./start.ts";
