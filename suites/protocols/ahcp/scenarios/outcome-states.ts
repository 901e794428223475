import { equal, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { differenceIn } from "../../../base/text/difference.ts";
import { endMessages, fragileState } from "./ended.ts";
import { outcomeOf, readAs } from "./steps.ts";

export const outcomeStates: readonly Scenario[] = [
  {
    name: "outcomes-state",
    says: "the Response contains the unchanged state, and the ids of its message and agent",
    rules: ["AHCP-RSP-013", "AHCP-RSP-014"],
    needs: ["resolve"],
    withinMs: 120_000,
    waits: 21_000,
    async play(context) {
      const reference = { client_ref: context.fresh("ref") };
      const endedMessages = [
        ...(await endMessages(context, { state: fragileState, ...reference })),
        ...(await endMessages(context, { state: {} })),
      ];
      for (const { id, message, stored } of endedMessages) {
        const { envelope } = outcomeOf(stored);
        if (!isObject(stored.response)) continue;
        const isSame = equal(envelope.state ?? null, message.state as Json);
        const difference = differenceIn(message.state as Json, envelope.state) ?? "is the same";
        const reply = readAs(stored);
        context.expect(
          "AHCP-RSP-013",
          isSame,
          `the state of a message that was ${stored.status} does not return unchanged: ${difference}`,
          reply,
        );
        const { agent, in_reply_to: inReplyTo } = envelope;
        const { id: agentId = null, run_id: runId = null } = message.agent as JsonObject;
        const isSubmitter = isObject(agent) && agent.id === agentId && agent.run_id === runId;
        context.expect("AHCP-RSP-014", inReplyTo === id, `the Response to ${id} names ${inReplyTo}`, reply);
        const why = `the Response names the agent ${JSON.stringify(agent ?? null)}`;
        context.expect("AHCP-RSP-014", isSubmitter, why, reply);
      }
      const [{ stored } = { stored: {} }] = await endMessages(context, {});
      const { envelope } = outcomeOf(stored);
      const isAbsent = envelope.state === undefined;
      context.expect(
        "AHCP-RSP-013",
        isAbsent,
        `a state is returned although none was submitted: ${JSON.stringify(envelope.state ?? null)}`,
        readAs(stored),
      );
    },
  },
];
