import type { AgentVariant } from "./variant.ts";

export const agentVariants: readonly AgentVariant[] = [];
