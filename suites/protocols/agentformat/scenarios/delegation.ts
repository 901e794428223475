import type { Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, step, subAgent } from "./documents.ts";
import { drawFrom } from "./draw.ts";
import { countOf, endOf, type FinishedRun, isUnsupported, type Runtime, runtimeOf } from "./runtime.ts";

const input = { q: "tea", items: [{ n: 1 }] };

/** Policies that call one agent, in every possible way. */
const delegationWays: Readonly<Record<string, (agent: string) => [id: string, config: JsonObject]>> = {
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
  way: string,
  alias: string,
  { approval, granted: isGranted = true }: { approval?: Json; granted?: boolean },
): Promise<FinishedRun> {
  const [id, config] = delegationWays[way]?.(alias) ?? ["", {}];
  const entry = subAgent(alias, approval === undefined ? {} : { approval });
  const document = agentDocument(id, config, { action_space: { local_agents: [entry] } });
  return runtime.play({ document, input }, { consent: () => ({ granted: isGranted }) });
}

/** Whether consent was asked for before the first call of an agent. */
function isAsked({ calls }: FinishedRun): boolean {
  const kinds = calls.map(({ kind }) => kind).filter((kind) => kind === "consent" || kind === "agent");
  return kinds[0] === "consent";
}

const inWords = (approval: Json | undefined): string =>
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
      for (const way of Object.keys(delegationWays)) {
        const [alias = ""] = aliases(1);
        for (const approval of approvals) {
          const result = await callAgent(runtime, way, alias, approval === undefined ? {} : { approval });
          if (!isAsked(result) && countOf(result, "agent") === 0) {
            const whyNothing = `${way}, with ${inWords(approval)}: no agent is called, and no consent asked for`;
            context.skip(rule, `${whyNothing}; the run ${endOf(result)}`);
            continue;
          }
          const shouldAsk = approval !== undefined && approval !== false;
          const why = shouldAsk ? "no consent is asked for before the call" : "consent is asked for";
          const callText = `${way}, with ${inWords(approval)}`;
          context.expect(rule, isAsked(result) === shouldAsk, `${callText}: ${why}; the run ${endOf(result)}`);
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
    for (const way of Object.keys(delegationWays)) {
      const [alias = ""] = aliases(1);
      const agreed = await callAgent(runtime, way, alias, { approval: true });
      if (!isAsked(agreed) || countOf(agreed, "agent") === 0) {
        const does = isUnsupported(agreed)
          ? "is not supported"
          : `asks for no consent, or calls no agent after consent`;
        context.skip(rule, `${way} ${does}`);
        continue;
      }
      const result = await callAgent(runtime, way, alias, { approval: true, granted: false });
      context.expect(rule, countOf(result, "agent") === 0, `${way}: ${alias} is called, which was refused`);
    }
  },
};

/** Consent to calls of sub-agents, under every policy that calls some. */
export const delegation: readonly Scenario[] = [
  askingScenario("delegation-asked", "AGF-APPR-002", "consent to calls of a sub-agent is asked for as its entry says", [
    true,
    false,
    undefined,
  ]),
  askingScenario("delegation-empty", "AGF-APPR-003", "an approval of a sub-agent without a condition asks", [
    {},
    { message_template: "Go?" },
  ]),
  refusedScenario,
];
