import { aaep } from "./aaep/service.ts";
import { agentConventions } from "./agent-conventions/service.ts";
import { agentformat } from "./agentformat/service.ts";
import { ahcp } from "./ahcp/service.ts";
import type { Service } from "./service.ts";
import { snap } from "./snap/service.ts";

/** The reference implementations, one a protocol. */
export const services: readonly Service[] = [ahcp, aaep, snap, agentformat, agentConventions];
