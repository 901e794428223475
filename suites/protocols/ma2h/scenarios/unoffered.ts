import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { notify } from "../../ahcp/scenarios/messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { codeOf, inShort, isAccepted, isClientError, post } from "../../ahcp/scenarios/steps.ts";
import { messageTo } from "./talk.ts";

/** Posts a message. A 403 is an expected answer here, not a sign of a wrong credential. */
function postMessage(context: ScenarioContext, body: JsonObject): Promise<HttpReply> {
  return context.send({ method: "POST", path: "/v1/messages", body, as: "a", isForbidden: true });
}

const expectedRefusals = ["403 not_authorized", "422 unknown_destination"];

/** A hub without mail between agents has to refuse an addressed message, and must not put it into the inbox of people. */
export const unoffered: readonly Scenario[] = [
  {
    name: "addressing-unoffered",
    says: "a hub that does not let agents write to each other refuses addressed messages, and accepts others",
    rules: ["MA2H-ADR-011", "MA2H-ADR-003"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const { inter_agent: interAgent } = await readPublished(context);
      if (isObject(interAgent) && interAgent.enabled === true)
        throw new TargetSkip("the hub lets agents write to each other");
      const address = `agent:${context.agents.a}`;
      for (const type of ["notify", "ask", "task"] as const) {
        const reply = await postMessage(context, messageTo(context, type, address));
        const why = `an addressed ${type} is answered with ${inShort(reply)}, though agents cannot write to each other`;
        const isExpected = expectedRefusals.includes(`${reply.status} ${codeOf(reply)}`);
        context.expect("MA2H-ADR-011", isExpected, why, isClientError(reply) ? "SHOULD" : "MUST", reply);
      }
      const oldReply = await postMessage(context, { ...messageTo(context, "notify", address), ahcp_version: "0.4" });
      const whyOld = `a message of version 0.4 with \`to\` is answered with ${inShort(oldReply)}`;
      context.expect("MA2H-ADR-003", isClientError(oldReply), whyOld, oldReply);
      const plainReply = await post(context, notify(context));
      const whyPlain = `a message without \`to\` is not accepted: ${inShort(plainReply)}`;
      context.expect("MA2H-ADR-011", isAccepted(plainReply), whyPlain, plainReply);
    },
  },
];
