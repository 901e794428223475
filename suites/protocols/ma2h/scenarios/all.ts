import { type Extension, type JsonObject, namesOf, protocolNamed, type Scenario } from "../../../../schemas/index.ts";
import { renameScenarios, type ScenarioDifferences, type ValueSwap } from "../../../packs/pack/renamed-scenarios.ts";
import { dp001 } from "../../ahcp/rules/fixtures.ts";
import { fixtureScenario, type SignatureFixture } from "../../ahcp/scenarios/fixture-signature.ts";
import { runsScenario } from "../../ahcp/scenarios/idempotency.ts";
import { scenarios as ahcpScenarios } from "../../ahcp/scenarios/index.ts";
import { requireServingHub } from "../../ahcp/scenarios/serving.ts";
import { acknowledging } from "./acknowledging.ts";
import { addressing } from "./addressing.ts";
import { mailReaders } from "./agent/mail.ts";
import { mailSenders } from "./agent/mail-sending.ts";
import { bouncing } from "./bouncing.ts";
import { directives } from "./directives.ts";
import { mailLimits } from "./mail-limits.ts";
import { mailboxOutcomes } from "./mailbox-outcomes.ts";
import { mailboxes } from "./mailboxes.ts";
import { operating } from "./operator.ts";
import { otherAgents } from "./other-agents.ts";
import { presence } from "./presence.ts";
import { resolving } from "./resolving.ts";
import { retention } from "./retention.ts";
import { sessions } from "./sessions.ts";
import { streamLeases } from "./stream-leases.ts";
import { streams } from "./streams.ts";
import { unoffered } from "./unoffered.ts";
import { versions } from "./versions.ts";
import { webhooks } from "./webhooks.ts";

/** Members that change even after the end of a message are not compared, and signatures may be padded. */
const baseDifferences: ScenarioDifferences = { hides: ["delivery", "mailbox"], lifts: ["AHCP-SIG-002"] };

/** A hub also serves messages of earlier versions, so each AHCP scenario is played with both versions. */
const versionSwap: ValueSwap = { member: "ahcp_version", values: ["0.3", "0.5"] };
const minor5Differences: ScenarioDifferences = { ...baseDifferences, swap: versionSwap };

const protocol = protocolNamed("ma2h");

/** The published example dp-001 under the names of MA2H, which change its signature. */
const signatureFixture: SignatureFixture = {
  rule: "MA2H-SIG-010",
  fixture: {
    ...dp001,
    key: { alg: "hmac-sha256", secret: "ma2h-test-secret-key-0123456789ab" },
    url: "https://deploybot.example/ma2h/resume",
    response: namesOf(protocol.extends as Extension).members(dp001.response) as JsonObject,
  },
  expectedSignature: "t=1749050910,jti=jti_01HZX7Q9Z3DEMOFIX,v1=Ryfm6kkeIKl80WEanB__dxoyL6bg5yFF33bRpu_3cxc",
  padding: "allowed",
};
const ownFixture = fixtureScenario(signatureFixture);

/** AHCP scenarios that are stricter in MA2H. */
const strictAhcpScenarios: readonly Scenario[] = [runsScenario("wrong")].map(requireServingHub);

export const stricterScenarios: readonly Scenario[] = renameScenarios(strictAhcpScenarios, protocol, baseDifferences);

/** AHCP's scenarios under the names of MA2H, each with messages of version 0.3 and of version 0.5. */
const inherited = ahcpScenarios
  .filter(({ name }) => name !== ownFixture.name)
  .map((scenario) => strictAhcpScenarios.find(({ name }) => name === scenario.name) ?? scenario)
  .flatMap((scenario) => [
    ...renameScenarios([scenario], protocol, baseDifferences),
    ...renameScenarios([scenario], protocol, minor5Differences).map((renamed) => ({
      ...renamed,
      name: `${renamed.name}-minor-5`,
    })),
  ]);

/** Scenarios for the rules that AHCP does not have. They use AHCP's steps and names, and are renamed here. */
export const ownScenarios: readonly Scenario[] = [
  ...renameScenarios(versions.map(requireServingHub), protocol, {}),
  ...renameScenarios(
    [
      ...resolving,
      ...acknowledging,
      ...sessions,
      ...mailboxes,
      ...mailboxOutcomes,
      ...bouncing,
      ...addressing,
      ...unoffered,
      ...operating,
      ...directives,
      ...presence,
      ...streams,
      ...streamLeases,
      ...webhooks,
      ...otherAgents,
      ...retention,
      ...mailLimits,
    ].map(requireServingHub),
    protocol,
    { swap: versionSwap },
  ),
];

export const scenarios: readonly Scenario[] = [
  ...ownScenarios,
  ownFixture,
  ...inherited,
  ...mailReaders,
  ...mailSenders,
];
