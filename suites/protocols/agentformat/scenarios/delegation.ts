import type { Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, step, subAgent } from "./documents.ts";
import { drawFrom } from "./draw.ts";
import { countOf, describeEnd, type FinishedRun, isUnsupported, type Runtime, runtimeOf } from "./runtime.ts";

const input = { q: "tea", items: [{ n: 1 }] };

/** Every part of a policy that calls an agent, each with a policy that has it. */
const callers: Readonly<Record<string, (agent: string) => [id: string, config: JsonObject]>> = {
  "a step of a sequence": (agent) => ["agf.sequential", { steps: [step(agent)] }],
  "a parallel agent": (agent) => ["agf.parallel", { agents: [step(agent)] }],
  "a step of a loop": (agent) => ["agf.loop", { steps: [step(agent)], max_iterations: 1 }],
  "the agent of a batch": (agent) => ["agf.batch", { agent, input_mapping: { n: "parent.input.items.[].n" } }],
  "the agent of a route": (agent) => [
    "agf.conditional",
    { routes: [{ when: conditionOn("parent.input.q", "tea"), agent }] },
  ],
  "the default agent": (agent) => [
    "agf.conditional",
    { routes: [{ when: conditionOn("parent.input.q", "milk"), agent }], default_agent: agent },
  ],
};

/** Runs a document that calls one agent with this approval. */
function callAgent(
  runtime: Runtime,
  caller: string,
  alias: string,
  { approval, granted: isGranted = true }: { approval?: Json; granted?: boolean },
): Promise<FinishedRun> {
  const [id, config] = callers[caller]?.(alias) ?? ["", {}];
  const entry = subAgent(alias, approval === undefined ? {} : { approval });
  const document = agentDocument(id, config, { action_space: { local_agents: [entry] } });
  return runtime.play({ document, input }, { consent: () => ({ granted: isGranted }) });
}

/** Whether consent was asked for before the first call of an agent. */
function isAsked({ calls }: FinishedRun): boolean {
  const kinds = calls.map(({ kind }) => kind).filter((kind) => kind === "consent" || kind === "agent");
  return kinds[0] === "consent";
}

const formatApproval = (approval: Json | undefined): string =>
  approval === undefined ? "no approval" : `approval ${JSON.stringify(approval)}`;

function askingScenario(name: string, rule: string, says: string, approvals: readonly (Json | undefined)[]): Scenario {
  return {
    name,
    says,
    rules: [rule],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const { aliases } = drawFrom(context);
      for (const caller of Object.keys(callers)) {
        const [alias = ""] = aliases(1);
        for (const approval of approvals) {
          const result = await callAgent(runtime, caller, alias, approval === undefined ? {} : { approval });
          if (!isAsked(result) && countOf(result, "agent") === 0) {
            const situation = `${caller}, with ${formatApproval(approval)}: the runtime neither asks for consent nor calls the agent`;
            context.skip(rule, `${situation}; the run ${describeEnd(result)}`);
            continue;
          }
          const shouldAsk = approval !== undefined && approval !== false;
          const why = shouldAsk ? "consent is not asked for before the call" : "consent is asked for";
          const callText = `${caller}, with ${formatApproval(approval)}`;
          context.expect(rule, isAsked(result) === shouldAsk, `${callText}: ${why}; the run ${describeEnd(result)}`);
        }
      }
    },
  };
}

const refusedScenario: Scenario = {
  name: "delegation-refused",
  says: "a sub-agent is not called if its call is refused",
  rules: ["AGF-APPR-007"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-APPR-007";
    const runtime = runtimeOf(context);
    const { aliases } = drawFrom(context);
    for (const caller of Object.keys(callers)) {
      const [alias = ""] = aliases(1);
      const grantedRun = await callAgent(runtime, caller, alias, { approval: true });
      if (!isAsked(grantedRun) || countOf(grantedRun, "agent") === 0) {
        const reason = isUnsupported(grantedRun)
          ? "is not supported"
          : "does not ask for consent, or does not call the agent after consent";
        context.skip(rule, `${caller} ${reason}`);
        continue;
      }
      const result = await callAgent(runtime, caller, alias, { approval: true, granted: false });
      context.expect(
        rule,
        countOf(result, "agent") === 0,
        `${caller}: ${alias} is called although consent was refused`,
      );
    }
  },
};

/** Consent to calls of sub-agents, under every policy that calls them. */
export const delegationScenarios: readonly Scenario[] = [
  askingScenario(
    "delegation-asked",
    "AGF-APPR-002",
    "consent to a call of a sub-agent is asked for if its approval is true",
    [true, false, undefined],
  ),
  askingScenario("delegation-empty", "AGF-APPR-003", "a sub-agent's approval without a condition asks", [
    {},
    { message_template: "Go?" },
  ]),
  refusedScenario,
];
