import { equal, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { differenceIn } from "../../../base/text/difference.ts";
import { endMessage, state } from "./ended.ts";
import { outcomeOf, readAs } from "./steps.ts";

export const outcomeStates: readonly Scenario[] = [
  {
    name: "outcomes-state",
    says: "the state returns unchanged, and the outcome names its message",
    rules: ["AHCP-RSP-013", "AHCP-RSP-014"],
    needs: ["resolve"],
    withinMs: 120_000,
    waits: 21_000,
    async play(context) {
      const named = { client_ref: context.fresh("ref") };
      const all = [...(await endMessage(context, { state, ...named })), ...(await endMessage(context, { state: {} }))];
      for (const { id, message, shown } of all) {
        const { envelope } = outcomeOf(shown);
        if (!isObject(shown.response)) continue;
        const isSame = equal(envelope.state ?? null, message.state as Json);
        const how = differenceIn(message.state as Json, envelope.state) ?? "is the same";
        const reply = readAs(shown);
        context.expect(
          "AHCP-RSP-013",
          isSame,
          `the state of a message that was ${shown.status} does not return unchanged: ${how}`,
          reply,
        );
        const { agent, in_reply_to: about } = envelope;
        const { id: name = null, run_id: run = null } = message.agent as JsonObject;
        const isTheirs = isObject(agent) && agent.id === name && agent.run_id === run;
        context.expect("AHCP-RSP-014", about === id, `the Response to ${id} names ${about}`, reply);
        const why = `the Response names the agent ${JSON.stringify(agent ?? null)}`;
        context.expect("AHCP-RSP-014", isTheirs, why, reply);
      }
      const [{ shown } = { shown: {} }] = await endMessage(context, {});
      const { envelope } = outcomeOf(shown);
      const isAbsent = envelope.state === undefined;
      context.expect(
        "AHCP-RSP-013",
        isAbsent,
        `without a state one is returned: ${JSON.stringify(envelope.state ?? null)}`,
        readAs(shown),
      );
    },
  },
];
