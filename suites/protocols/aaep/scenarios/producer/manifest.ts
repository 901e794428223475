import { isObject, type Json, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { openSubscription } from "../subscribing/open.ts";
import { readProducerFacts, requireLevel } from "../subscribing/producer-facts.ts";
import { toProducer } from "./scenario.ts";

const [fieldsRule, agentRule] = ["AAEP-MAN-002", "AAEP-MAN-004"];

/** Scenarios on the contents of the manifest. */
export const manifestScenarios: readonly Scenario[] = [
  toProducer({
    name: "manifest-agrees",
    says: "the manifest has its fields, and describes the agent that accepted",
    rules: [fieldsRule, agentRule],
    needs: ["url"],
    async play(context) {
      requireLevel(context, 3);
      const { accepted = {} } = await openSubscription(context);
      const producer = isObject(accepted.producer) ? accepted.producer : {};
      const uri = [accepted.manifest_uri, producer.manifest_uri].find((candidate) => typeof candidate === "string");
      const address = uri ?? readProducerFacts(context).paths.manifest;
      const reply = uri === undefined ? await context.send({ method: "GET", path: address }) : await context.fetch(uri);
      if (reply === undefined) throw new TargetSkip(`the manifest is at another host: ${address}`);
      const manifest: Json | undefined = reply.status === 200 ? reply.json : undefined;
      if (!isObject(manifest)) throw new TargetSkip(`no readable manifest is at ${address}: HTTP ${reply.status}`);
      const faults = await context.violations("producer-manifest", manifest);
      const [fault] = faults.filter(({ rule }) => rule === fieldsRule);
      context.expect(fieldsRule, fault === undefined, `the manifest at ${address} ${fault?.why}`, reply);
      if (typeof producer.agent_id !== "string")
        return context.skip(
          agentRule,
          "the acceptance does not name its agent, so nothing can be compared with the manifest",
        );
      const agentFaults = await context.violations("presented-manifest", { accepted, manifest });
      const [agentFault] = agentFaults.filter(({ rule }) => rule === agentRule);
      context.expect(agentRule, agentFault === undefined, `the manifest at ${address} ${agentFault?.why}`, reply);
    },
  }),
];
