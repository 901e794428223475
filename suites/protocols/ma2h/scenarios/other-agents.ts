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
  if (typeof agent !== "string" || !isObject(headers)) throw new TargetSkip(`no agent of the kind "${kind}" is given`);
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return {
    agent,
    async send(method, path, body) {
      const sent = { method, path, headers: named, as: "nobody" as const, isForbidden: true };
      const reply = await context.send(body === undefined ? sent : { ...sent, body });
      if (reply.status === 401) throw new TargetFailure("errored", "hook", `the headers of "${agent}" are refused`);
      return reply;
    },
  };
}

const hashHasNoAddress: Scenario = {
  name: "addressing-hash",
  says: "an agent with a # in its id writes to people, and has neither an address nor sessions",
  rules: ["MA2H-ADR-004", "MA2H-SES-005"],
  needs: ["another-agent"],
  withinMs: 30_000,
  async play(context) {
    const { agent, send } = await otherAgent(context, "hash");
    const say = (message: JsonObject): Promise<HttpReply> => send("POST", "/v1/messages", fromAgent(agent, message));
    const plain = await say(notify(context));
    const why = `a message to the people is answered with ${inShort(plain)}`;
    context.expect("MA2H-ADR-004", isAccepted(plain), why, plain);
    const expectRefusal = (rule: string, reply: HttpReply, words: string): void => {
      const isDue = reply.status === 422 && codeOf(reply) === "invalid_field";
      const why = `${words} is answered with ${inShort(reply)}, not with 422 invalid_field`;
      context.expect(rule, isDue, why, isClientError(reply) ? "SHOULD" : "MUST", reply);
    };
    await publishedSessions(context);
    const session = sessionIn(await send("POST", "/v1/sessions", {}));
    expectRefusal("MA2H-SES-005", await send("POST", "/v1/sessions", {}), "a registration");
    await publishedInbox(context);
    expectRefusal(
      "MA2H-ADR-004",
      await say(messageTo(context, "notify", addressOf(context, "a"))),
      "a message with `to`",
    );
    const { agent: sender, ...message } = fromAgent(agent, notify(context));
    const named = { ...(sender as JsonObject), session: session.id ?? "sess_unknown" };
    const reply = await send("POST", "/v1/messages", { ...message, agent: named });
    expectRefusal("MA2H-ADR-004", reply, "a message with a session");
  },
};

/** Sends a notify to an address. A 403 is an expected answer here, not a sign of a wrong credential. */
function writeNotify(context: ScenarioContext, address: string): Promise<HttpReply> {
  const body = messageTo(context, "notify", address);
  return context.send({ method: "POST", path: "/v1/messages", body, as: "a", isForbidden: true });
}

/** The status, code and member names of a refusal, to compare two refusals. */
function shapeOf(reply: HttpReply): string {
  const { json } = reply;
  const error = isObject(json) && isObject(json.error) ? Object.keys(json.error).sort() : [];
  const members = isObject(json) ? Object.keys(json).sort() : [];
  return JSON.stringify([reply.status, codeOf(reply) ?? null, members, error]);
}

const foreignLooksUnknown: Scenario = {
  name: "addressing-foreign",
  says: "an agent of another account is refused as an unknown one is",
  rules: ["MA2H-ADR-006"],
  needs: ["another-agent"],
  withinMs: 30_000,
  async play(context) {
    await publishedInbox(context);
    const { agent, send } = await otherAgent(context, "foreign");
    const to = (address: string): Promise<HttpReply> => writeNotify(context, address);
    const opened = sessionIn(await send("POST", "/v1/sessions", {}));
    const addresses = [`agent:${agent}`, ...(typeof opened.id === "string" ? [`agent:${agent}#${opened.id}`] : [])];
    for (const address of addresses) {
      const session = address.includes("#") ? "#sess_unknown" : "";
      const [reply, unknown] = [await to(address), await to(`agent:${context.fresh("nobody")}${session}`)];
      const why = `it is answered with ${inShort(reply)}, and an unknown one with ${inShort(unknown)}`;
      context.expect("MA2H-ADR-006", !isAccepted(reply) && shapeOf(reply) === shapeOf(unknown), why, reply);
    }
    if (typeof opened.id === "string") await send("DELETE", `/v1/sessions/${encodeURIComponent(opened.id)}`);
  },
};

const unlistedLooksUnknown: Scenario = {
  name: "addressing-lists",
  says: "an agent with a list of senders looks unknown to others, until its list is lifted",
  rules: ["MA2H-ADR-010"],
  needs: ["allow-senders", "second-credential"],
  withinMs: 30_000,
  async play(context) {
    await publishedInbox(context);
    const agent = context.agents.b ?? "";
    const to = (address: string): Promise<HttpReply> => writeNotify(context, address);
    try {
      await context.hook("allow-senders", { agent, senders: [context.fresh("another")] });
      const [blocked, unknown] = [await to(addressOf(context, "b")), await to(`agent:${context.fresh("nobody")}`)];
      const isAlike = !isAccepted(blocked) && shapeOf(blocked) === shapeOf(unknown);
      const why = `a sender that is not listed gets ${inShort(blocked)}, and for an unknown agent ${inShort(unknown)}`;
      context.expect("MA2H-ADR-010", isAlike, why, blocked);
      await context.hook("allow-senders", { agent, senders: [context.agents.a] });
      const named = await to(addressOf(context, "b"));
      context.expect("MA2H-ADR-010", isAccepted(named), `a sender that is listed gets ${inShort(named)}`, named);
    } finally {
      await context.hook("allow-senders", { agent }).catch(() => undefined);
    }
    const lifted = await to(addressOf(context, "b"));
    context.expect("MA2H-ADR-010", isAccepted(lifted), `without a list a sender gets ${inShort(lifted)}`, lifted);
  },
};

const foreignPresenceHidden: Scenario = {
  name: "presence-foreign",
  says: "the presence of an agent of another account is that of an unknown one",
  rules: ["MA2H-PRS-005"],
  needs: ["another-agent", "person"],
  withinMs: 30_000,
  async play(context) {
    await publishedFreshness(context);
    const { agent, send } = await otherAgent(context, "foreign");
    await send("GET", "/v1/inbox");
    const ask = (name: string): Promise<HttpReply> =>
      askAsPerson(context, "GET", `/v1/agents/${encodeURIComponent(name)}/presence`);
    const [reply, unknown] = [await ask(agent), await ask(context.fresh("nobody"))];
    const state = ({ json }: HttpReply): unknown => (isObject(json) ? json.state : undefined);
    const isAlike = shapeOf(reply) === shapeOf(unknown) && state(reply) === state(unknown);
    const why = `it is answered with ${inShort(reply)}, and that of an unknown agent with ${inShort(unknown)}`;
    context.expect("MA2H-PRS-005", isAlike, why, reply);
  },
};

export const otherAgents: readonly Scenario[] = [
  hashHasNoAddress,
  foreignLooksUnknown,
  unlistedLooksUnknown,
  foreignPresenceHidden,
];
