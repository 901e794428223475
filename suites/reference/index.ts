export { type HubOptions, type StartedHub, startHub } from "../protocols/ahcp/reference/hub/start.ts";
export { conductVariants, ruleVariants, startReference, type VariantSummary, variants } from "./start.ts";
