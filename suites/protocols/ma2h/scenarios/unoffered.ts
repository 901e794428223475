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
function send(context: ScenarioContext, body: JsonObject): Promise<HttpReply> {
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
        const reply = await send(context, messageTo(context, type, address));
        const why = `an addressed ${type} is answered with ${inShort(reply)}, though agents cannot write to each other`;
        const isDue = expectedRefusals.includes(`${reply.status} ${codeOf(reply)}`);
        context.expect("MA2H-ADR-011", isDue, why, isClientError(reply) ? "SHOULD" : "MUST", reply);
      }
      const old = await send(context, { ...messageTo(context, "notify", address), ahcp_version: "0.4" });
      const isRefused = isClientError(old);
      context.expect(
        "MA2H-ADR-003",
        isRefused,
        `\`to\` of a message of version 0.4 is answered with ${inShort(old)}`,
        old,
      );
      const plain: HttpReply = await post(context, notify(context));
      context.expect(
        "MA2H-ADR-011",
        isAccepted(plain),
        `a message without \`to\` is not accepted: ${inShort(plain)}`,
        plain,
      );
    },
  },
];
