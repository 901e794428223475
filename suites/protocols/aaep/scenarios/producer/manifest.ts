import { isObject, type Json, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { openLine } from "../subscribing/open.ts";
import { producerFacts, requireLevel } from "../subscribing/producer-facts.ts";
import { toProducer } from "./scenario.ts";

const [ofFields, ofAgent] = ["AAEP-MAN-002", "AAEP-MAN-004"];

/** Whether the manifest names the accepting producer. */
export const manifests: readonly Scenario[] = [
  toProducer({
    name: "manifest-agrees",
    says: "the manifest has its fields, and describes the agent that accepted",
    rules: [ofFields, ofAgent],
    needs: ["url"],
    async play(context) {
      requireLevel(context, 3);
      const { accepted = {} } = await openLine(context);
      const producer = isObject(accepted.producer) ? accepted.producer : {};
      const uri = [accepted.manifest_uri, producer.manifest_uri].find((each) => typeof each === "string");
      const place = uri ?? producerFacts(context).paths.manifest;
      const reply = uri === undefined ? await context.send({ method: "GET", path: place }) : await context.fetch(uri);
      if (reply === undefined) throw new TargetSkip(`the manifest is at another host: ${place}`);
      const manifest: Json | undefined = reply.status === 200 ? reply.json : undefined;
      if (!isObject(manifest)) throw new TargetSkip(`no readable manifest is at ${place}: HTTP ${reply.status}`);
      const faults = await context.violations("producer-manifest", manifest);
      const [fault] = faults.filter(({ rule }) => rule === ofFields);
      context.expect(ofFields, fault === undefined, `the manifest at ${place} ${fault?.why}`, reply);
      if (typeof producer.agent_id !== "string")
        return context.skip(
          ofAgent,
          "the acceptance does not name its agent, so that nothing can be compared with the manifest",
        );
      const others = await context.violations("presented-manifest", { accepted, manifest });
      const [other] = others.filter(({ rule }) => rule === ofAgent);
      context.expect(ofAgent, other === undefined, `the manifest at ${place} ${other?.why}`, reply);
    },
  }),
];
