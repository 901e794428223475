import { protocolNamed, type Scenario } from "../../../../schemas/index.ts";
import { inNames, type PlayedApart, type Restamp } from "../../../packs/pack/renamed-scenarios.ts";
import { scenarios as before } from "../../ahcp/scenarios/index.ts";
import { withHub } from "../../ahcp/scenarios/serving.ts";
import { acknowledging } from "./acknowledging.ts";
import { addressing } from "./addressing.ts";
import { bouncing } from "./bouncing.ts";
import { directives } from "./directives.ts";
import { mailboxes } from "./mailboxes.ts";
import { operating } from "./operator.ts";
import { presence } from "./presence.ts";
import { resolving } from "./resolving.ts";
import { sessions } from "./sessions.ts";

/** The two tracks move while all else of an ended message stays, and a signature may be padded. */
const apart: PlayedApart = { hides: ["delivery", "mailbox"], lifts: ["AHCP-SIG-002"] };

/** A hub serves documents of the versions before as well: what holds for these holds for those of its own. */
const version: Restamp = { member: "ahcp_version", values: ["0.3", "0.5"] };
const young: PlayedApart = { ...apart, restamp: version };

const protocol = protocolNamed("ma2h");

const inherited = before.flatMap((scenario) => [
  ...inNames([scenario], protocol, apart),
  ...inNames([scenario], protocol, young).map((each) => ({ ...each, name: `${each.name}-minor-5` })),
]);

/** Scenarios of the rules that AHCP does not have; they use its steps, and so its names. */
export const own: readonly Scenario[] = inNames(
  [
    ...resolving,
    ...acknowledging,
    ...sessions,
    ...mailboxes,
    ...bouncing,
    ...addressing,
    ...operating,
    ...directives,
    ...presence,
  ].map(withHub),
  protocol,
  { restamp: version },
);

export const scenarios: readonly Scenario[] = [...own, ...inherited];
