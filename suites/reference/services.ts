import { aaep } from "../protocols/aaep/reference/service.ts";
import { agentConventions } from "../protocols/agent-conventions/reference/service.ts";
import { agentformat } from "../protocols/agentformat/reference/service.ts";
import { ahcp } from "../protocols/ahcp/reference/service.ts";
import type { Service } from "./service.ts";
import { snap } from "../protocols/snap/reference/service.ts";

/** The reference implementations, one a protocol. */
export const services: readonly Service[] = [ahcp, aaep, snap, agentformat, agentConventions];
