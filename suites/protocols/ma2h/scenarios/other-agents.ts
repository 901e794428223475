import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { fromAgent, notify } from "../../ahcp/scenarios/messages.ts";
import { codeOf, inShort, isAccepted, isClientError } from "../../ahcp/scenarios/steps.ts";
import { askAsPerson, publishedFreshness } from "./person.ts";
import { addressOf, messageTo, publishedInbox, publishedSessions, sessionIn } from "./talk.ts";

/** An agent other than the two of the run. */
interface OtherAgent {
  agent: string;
  send(method: string, path: string, body?: JsonObject): Promise<HttpReply>;
}

/** Gets an agent with a # in its id, or of another account, from the hook. Throws a TargetSkip if there is none. */
async function otherAgent(context: ScenarioContext, kind: "hash" | "foreign"): Promise<OtherAgent> {
  const { agent, headers } = await context.hook("another-agent", { kind });
  if (typeof agent !== "string" || !isObject(headers))
    throw new TargetSkip(`the hook has no agent of the kind "${kind}"`);
  const credentials = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return {
    agent,
    async send(method, path, body) {
      const request = { method, path, headers: credentials, as: "nobody" as const, isForbidden: true };
      const reply = await context.send(body === undefined ? request : { ...request, body });
      if (reply.status === 401) throw new TargetFailure("errored", "hook", `the headers of "${agent}" are refused`);
      return reply;
    },
  };
}

const hashHasNoAddress: Scenario = {
  name: "addressing-hash",
  says: "an agent with a # in its id can write to people, but has neither an address nor sessions",
  rules: ["MA2H-ADR-004", "MA2H-SES-005"],
  needs: ["another-agent"],
  withinMs: 30_000,
  async play(context) {
    const { agent, send } = await otherAgent(context, "hash");
    const submitMessage = (message: JsonObject): Promise<HttpReply> =>
      send("POST", "/v1/messages", fromAgent(agent, message));
    const plainReply = await submitMessage(notify(context));
    const whyPlain = `a message to people is answered with ${inShort(plainReply)}`;
    context.expect("MA2H-ADR-004", isAccepted(plainReply), whyPlain, plainReply);
    const expectRefusal = (rule: string, reply: HttpReply, subject: string): void => {
      const isRefused = reply.status === 422 && codeOf(reply) === "invalid_field";
      const why = `${subject} is answered with ${inShort(reply)}, not with 422 invalid_field`;
      context.expect(rule, isRefused, why, isClientError(reply) ? "SHOULD" : "MUST", reply);
    };
    await publishedSessions(context);
    const session = sessionIn(await send("POST", "/v1/sessions", {}));
    expectRefusal("MA2H-SES-005", await send("POST", "/v1/sessions", {}), "a registration");
    await publishedInbox(context);
    expectRefusal(
      "MA2H-ADR-004",
      await submitMessage(messageTo(context, "notify", addressOf(context, "a"))),
      "a message with `to`",
    );
    const { agent: sender, ...message } = fromAgent(agent, notify(context));
    const senderWithSession = { ...(sender as JsonObject), session: session.id ?? "sess_unknown" };
    const reply = await send("POST", "/v1/messages", { ...message, agent: senderWithSession });
    expectRefusal("MA2H-ADR-004", reply, "a message with a session");
  },
};

/** Sends a notify to an address. A 403 is a possible answer here, not a sign of a wrong credential. */
function sendNotify(context: ScenarioContext, address: string): Promise<HttpReply> {
  const body = messageTo(context, "notify", address);
  return context.send({ method: "POST", path: "/v1/messages", body, as: "a", isForbidden: true });
}

/** The status, code and member names of a refusal, to compare two refusals. */
function shapeOf(reply: HttpReply): string {
  const { json } = reply;
  const errorMembers = isObject(json) && isObject(json.error) ? Object.keys(json.error).sort() : [];
  const members = isObject(json) ? Object.keys(json).sort() : [];
  return JSON.stringify([reply.status, codeOf(reply) ?? null, members, errorMembers]);
}

const foreignLooksUnknown: Scenario = {
  name: "addressing-foreign",
  says: "an agent of another account is refused exactly like an unknown agent",
  rules: ["MA2H-ADR-006"],
  needs: ["another-agent"],
  withinMs: 30_000,
  async play(context) {
    await publishedInbox(context);
    const { agent, send } = await otherAgent(context, "foreign");
    const { id: sessionId } = sessionIn(await send("POST", "/v1/sessions", {}));
    const hasSession = typeof sessionId === "string";
    const addresses = [`agent:${agent}`, ...(hasSession ? [`agent:${agent}#${sessionId}`] : [])];
    for (const address of addresses) {
      const unknownSession = address.includes("#") ? "#sess_unknown" : "";
      const reply = await sendNotify(context, address);
      const unknownReply = await sendNotify(context, `agent:${context.fresh("nobody")}${unknownSession}`);
      const isAlike = !isAccepted(reply) && shapeOf(reply) === shapeOf(unknownReply);
      const why = `it is answered with ${inShort(reply)}, and an unknown agent with ${inShort(unknownReply)}`;
      context.expect("MA2H-ADR-006", isAlike, why, reply);
    }
    if (hasSession) await send("DELETE", `/v1/sessions/${encodeURIComponent(sessionId)}`);
  },
};

const unlistedLooksUnknown: Scenario = {
  name: "addressing-lists",
  says: "an agent with a list of senders looks unknown to all others, until the list is removed",
  rules: ["MA2H-ADR-010"],
  needs: ["allow-senders", "second-credential"],
  withinMs: 30_000,
  async play(context) {
    await publishedInbox(context);
    const agent = context.agents.b ?? "";
    const address = addressOf(context, "b");
    try {
      await context.hook("allow-senders", { agent, senders: [context.fresh("another")] });
      const blockedReply = await sendNotify(context, address);
      const unknownReply = await sendNotify(context, `agent:${context.fresh("nobody")}`);
      const isAlike = !isAccepted(blockedReply) && shapeOf(blockedReply) === shapeOf(unknownReply);
      const why = `an unlisted sender gets ${inShort(blockedReply)}, and for an unknown agent ${inShort(unknownReply)}`;
      context.expect("MA2H-ADR-010", isAlike, why, blockedReply);
      await context.hook("allow-senders", { agent, senders: [context.agents.a] });
      const listedReply = await sendNotify(context, address);
      const whyListed = `a listed sender gets ${inShort(listedReply)}`;
      context.expect("MA2H-ADR-010", isAccepted(listedReply), whyListed, listedReply);
    } finally {
      await context.hook("allow-senders", { agent }).catch(() => undefined);
    }
    const openReply = await sendNotify(context, address);
    context.expect(
      "MA2H-ADR-010",
      isAccepted(openReply),
      `without a list a sender gets ${inShort(openReply)}`,
      openReply,
    );
  },
};

const foreignPresenceHidden: Scenario = {
  name: "presence-foreign",
  says: "the presence of an agent of another account looks like that of an unknown agent",
  rules: ["MA2H-PRS-005"],
  needs: ["another-agent", "person"],
  withinMs: 30_000,
  async play(context) {
    await publishedFreshness(context);
    const { agent, send } = await otherAgent(context, "foreign");
    await send("GET", "/v1/inbox");
    const readPresence = (name: string): Promise<HttpReply> =>
      askAsPerson(context, "GET", `/v1/agents/${encodeURIComponent(name)}/presence`);
    const [reply, unknownReply] = [await readPresence(agent), await readPresence(context.fresh("nobody"))];
    const stateIn = ({ json }: HttpReply): unknown => (isObject(json) ? json.state : undefined);
    const isAlike = shapeOf(reply) === shapeOf(unknownReply) && stateIn(reply) === stateIn(unknownReply);
    const why = `it is answered with ${inShort(reply)}, and that of an unknown agent with ${inShort(unknownReply)}`;
    context.expect("MA2H-PRS-005", isAlike, why, reply);
  },
};

export const otherAgents: readonly Scenario[] = [
  hashHasNoAddress,
  foreignLooksUnknown,
  unlistedLooksUnknown,
  foreignPresenceHidden,
];
