import { type JsonObject, TargetSkip } from "../../../../../schemas/index.ts";
import { digestOf } from "../callback-signature.ts";
import { otherKey, signatureHeader } from "./push.ts";
import type { AgentContext, AgentScenario, DeliveryResult, Push } from "./scenario.ts";

/** Whether an agent has accepted a push, judged by its actions if they are known, otherwise by its answer. */
export function isAccepted({ status, actions }: DeliveryResult): boolean {
  return actions === undefined ? status >= 200 && status < 300 : actions.length > 0;
}

/** Delivers a push that must have no effect. If only the answer is known, this is a warning: an agent may answer 200 and do nothing. */
export async function mustRefuse(context: AgentContext, rule: string, description: string, push: Push): Promise<void> {
  const delivery = await context.deliverPush(push);
  const level = delivery.actions === undefined ? "SHOULD" : undefined;
  context.expect(rule, !isAccepted(delivery), `a push ${description} is accepted (HTTP ${delivery.status})`, level);
}

/** Delivers a push that should be accepted, and gives the agent some seconds to act on it. */
export async function mustAccept(context: AgentContext, push: Push): Promise<DeliveryResult> {
  const delivery = await context.deliverPush(push);
  let { actions } = delivery;
  for (let tries = 0; actions?.length === 0 && delivery.status < 300 && tries < 50; tries++)
    actions = await context.actionsOn(push.body);
  return { ...delivery, actions };
}

async function expectAccepted(context: AgentContext, rule: string, description: string, push: Push): Promise<void> {
  const delivery = await mustAccept(context, push);
  context.expect(rule, isAccepted(delivery), `a correct push ${description} is refused (HTTP ${delivery.status})`);
}

/** Delivers a correct push. Throws a TargetSkip if it is refused, because then the refusal of wrong pushes proves nothing. */
export async function mustWork(context: AgentContext): Promise<JsonObject> {
  const body = await context.outcome();
  const delivery = await mustAccept(context, { body });
  if (isAccepted(delivery)) return body;
  throw new TargetSkip(`a correct push is not accepted (HTTP ${delivery.status})`);
}

/** Changes that make a correct signature header wrong. */
const changedHeaders: [description: string, change: (header: string) => string][] = [
  [
    "with the end of its signature changed",
    (header) => `${header.slice(0, -4)}${header.endsWith("AAAA") ? "BBBB" : "AAAA"}`,
  ],
  [
    "with the beginning of its signature changed",
    (header) => header.replace(/v1=..../, (start) => `v1=${start.endsWith("AAAA") ? "BBBB" : "AAAA"}`),
  ],
  ["with a truncated signature", (header) => header.replace(/(v1=.{11}).*/, "$1")],
  ["with a different time than was signed", (header) => header.replace(/t=(\d+)/, (_, t) => `t=${Number(t) - 1}`)],
  ["with a different jti than was signed", (header) => header.replace(/jti=/, "jti=x")],
];

function headerFor(context: AgentContext, body: JsonObject): string {
  return signatureHeader(body, context.url, context.stamp(), context.key);
}

/** The Response with replaced or added members in its `response`. */
function withResponseMembers(body: JsonObject, members: JsonObject): JsonObject {
  return { ...body, response: { ...(body.response as JsonObject), ...members } };
}

function reverseMembers(body: JsonObject): JsonObject {
  const reverse = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).reverse());
  return reverse({ ...body, response: reverse(body.response as JsonObject) });
}

export const signatureScenarios: readonly AgentScenario[] = [
  {
    name: "agent-unsigned",
    says: "the agent does not act on a push without the hub's signature",
    rules: ["AHCP-SIG-011"],
    withinMs: 60_000,
    async play(context) {
      await mustWork(context);
      const { t, jti } = context.stamp();
      const headers: [description: string, header: string | null][] = [
        ["without a signature", null],
        ["with an empty signature", `t=${t},jti=${jti},v1=`],
        ["with an invalid header", "signed, sealed, delivery"],
        ["with a signature of zeros", `t=${t},jti=${jti},v1=${"A".repeat(43)}`],
      ];
      for (const [description, header] of headers)
        await mustRefuse(context, "AHCP-SIG-011", description, { body: await context.outcome(), header });
      const key = otherKey(context.key);
      await mustRefuse(context, "AHCP-SIG-011", "signed with another key", { body: await context.outcome(), key });
      for (const [description, change] of changedHeaders) {
        const body = await context.outcome();
        await mustRefuse(context, "AHCP-SIG-011", description, { body, header: change(headerFor(context, body)) });
      }
    },
  },
  {
    name: "agent-tampered",
    says: "a push that was changed in transit is refused, unless only its spelling differs",
    rules: ["AHCP-SIG-012"],
    withinMs: 60_000,
    async play(context) {
      await mustWork(context);
      const changes: [description: string, change: (body: JsonObject) => JsonObject][] = [
        ["with a changed value", (body) => withResponseMembers(body, { value: "blue" })],
        ["with an added comment", (body) => withResponseMembers(body, { comment: "and more" })],
        ["with a changed actor", (body) => withResponseMembers(body, { actor: "human:mallory" })],
        ["with a changed time", (body) => withResponseMembers(body, { resolved_at: "2001-01-01T00:00:00Z" })],
        ["that says it was edited", (body) => withResponseMembers(body, { edited: true })],
        ["with a changed resolution", (body) => ({ ...body, resolution: "declined" })],
        [
          "with the old digest in it",
          (body) => ({ ...withResponseMembers(body, { value: "blue" }), payload_sha256: digestOf(body) }),
        ],
      ];
      for (const [description, change] of changes) {
        const signed = await context.outcome();
        await mustRefuse(context, "AHCP-SIG-012", description, { body: change(signed), signed });
      }
      // An agent that sends no state need not accept one, even if it is signed.
      const acceptsState = isAccepted(
        await mustAccept(context, { body: await context.outcome({ state: { step: 1 } }) }),
      );
      if (acceptsState) {
        const signed = await context.outcome({ state: { step: 1 } });
        const body = { ...signed, state: { step: 2 } };
        await mustRefuse(context, "AHCP-SIG-012", "with a changed state", { body, signed });
      }
      const body = await context.outcome(acceptsState ? { state: { b: 1e21, a: "\u20ac" } } : {});
      const text = JSON.stringify(reverseMembers(body), null, 2);
      await expectAccepted(context, "AHCP-SIG-012", "with its members in a different order", { body, text });
    },
  },
  {
    name: "agent-window",
    says: "a push outside of the window is refused",
    rules: ["AHCP-SIG-013"],
    withinMs: 60_000,
    async play(context) {
      await mustWork(context);
      for (const seconds of [-100, 100]) {
        const push = { body: await context.outcome(), stamp: context.stamp(seconds) };
        await expectAccepted(context, "AHCP-SIG-013", `from ${seconds} s from now`, push);
      }
      for (const seconds of [-145, 145, -86_400]) {
        const push = { body: await context.outcome(), stamp: context.stamp(seconds) };
        await mustRefuse(context, "AHCP-SIG-013", `of ${seconds} s from now`, push);
      }
    },
  },
  {
    name: "agent-replay",
    says: "a nonce is accepted only once",
    rules: ["AHCP-SIG-014"],
    withinMs: 60_000,
    async play(context) {
      await mustWork(context);
      const stamp = context.stamp();
      await context.deliverPush({ body: await context.outcome(), stamp });
      const push = { body: await context.outcome(), stamp };
      await mustRefuse(context, "AHCP-SIG-014", "with another message and a used jti", push);
      // An agent that forgets nonces too early accepts the nonce now.
      await context.waitUntil(() => false, 2000);
      const laterPush = { body: await context.outcome(), stamp };
      await mustRefuse(context, "AHCP-SIG-014", "with another message and a jti used 2 s ago", laterPush);
    },
  },
  {
    name: "agent-elsewhere",
    says: "a signature is valid only for its own message and callback",
    rules: ["AHCP-SIG-015"],
    withinMs: 60_000,
    async play(context) {
      await mustWork(context);
      const { url } = context;
      for (const otherUrl of [`${url}${url.includes("?") ? "&" : "?"}x=1`, "https://other.example/callback"]) {
        const push = { body: await context.outcome(), url: otherUrl };
        await mustRefuse(context, "AHCP-SIG-015", `signed for ${otherUrl}`, push);
      }
      const [signed, body] = [await context.outcome(), await context.outcome()];
      await mustRefuse(context, "AHCP-SIG-015", "with the signature of another message", { body, signed });
    },
  },
  {
    name: "agent-hints",
    says: "unsigned members have no influence",
    rules: ["AHCP-SIG-016"],
    withinMs: 60_000,
    async play(context) {
      await mustWork(context);
      const byDefault = { actor: "system:default_on_expire" };
      const hasDefault = await Promise.all(
        [{ defaulted: true }, { defaulted: false }, {}].map(async (hint) => {
          const body = await context.outcome({ resolution: "expired", ...hint }, byDefault);
          return (await mustAccept(context, { body })).actions?.[0]?.isDefault;
        }),
      );
      if (hasDefault[0] === undefined)
        return context.skip(
          "AHCP-SIG-016",
          'the hook "acted" does not say of an action whether it {"isDefault": true}',
        );
      context.expect("AHCP-SIG-016", hasDefault[0] === true, "an applied default is treated as a person's answer");
      for (const [index, hint] of [[1, "denies it"] as const, [2, "is silent"] as const])
        context.expect(
          "AHCP-SIG-016",
          hasDefault[index] !== false,
          `an applied default is treated as an answer if the unsigned member ${hint}`,
        );
    },
  },
];
