import {
  type Arrival,
  type Callback,
  isObject,
  type JsonObject,
  type Reaction,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { failures } from "../../ahcp/scenarios/attempts.ts";
import { bindAnyway, urlAtHost } from "../../ahcp/scenarios/callback-hosts.ts";
import { morePushesArrive, notYetReason, pushArrives } from "../../ahcp/scenarios/due-messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { bodyOf, movesAllPauses, movesPauses, noClockReason, waitForPushes } from "../../ahcp/scenarios/pushes.ts";
import { restart } from "../../ahcp/scenarios/restarting.ts";
import { submit } from "../../ahcp/scenarios/steps.ts";
import { requireDirective } from "./person.ts";
import { hasValidSignature } from "./signed.ts";
import {
  acknowledgeEntries,
  addressOf,
  close,
  drain,
  fromSession,
  messageTo,
  publishedMailboxes,
  register,
  resolveAs,
  waitUntil,
} from "./talk.ts";

const needs = ["directive-webhook", "direct", "receiver"] as const;

/** How long to wait for the retries of a push, by the hub's clock. */
const twoDaysMs = 48 * 3_600_000;

/** Throws a TargetSkip for a hub that does not push directives. */
async function requireWebhooks(context: ScenarioContext): Promise<void> {
  if ((await publishedMailboxes(context))?.webhook_supported !== true)
    throw new TargetSkip("the hub does not push directives");
}

/** Registers a webhook for agent `a`, plays, and removes the webhook. Returns whether the hub accepted the URL. */
async function withWebhook(context: ScenarioContext, url: string, play: () => Promise<void>): Promise<boolean> {
  const agent = context.agents.a;
  const { refused } = await context.hook("directive-webhook", { agent, url });
  if (refused !== undefined && refused !== false) return false;
  try {
    await play();
  } finally {
    await context.hook("directive-webhook", { agent }).catch(() => undefined);
  }
  return true;
}

/** Plays with a callback as the webhook of agent `a`. Throws a TargetSkip if the hub refuses it. */
async function withCallback(
  context: ScenarioContext,
  reactions: readonly Reaction[],
  play: (callback: Callback) => Promise<void>,
): Promise<void> {
  const callback = await context.callback(reactions);
  const isAccepted = await withWebhook(context, callback.url, () => play(callback));
  if (!isAccepted) throw new TargetSkip("the hub refuses a webhook at the suite's address");
}

/** Writes a directive to agent `a`. */
function writeDirective(context: ScenarioContext): Promise<string> {
  return requireDirective(context, { to: addressOf(context, "a"), title: "d", body: "x" });
}

/** The pushed directive; the body is the directive itself or an object that contains it. */
function directiveIn(arrival: Arrival | undefined): JsonObject {
  const body = bodyOf(arrival);
  return isObject(body.directive) ? body.directive : body;
}

/** Waits for the first push. A missing push is a violation only if the clock hook moves all pauses of the hub. */
async function judgeFirstPush(context: ScenarioContext, rule: string, callback: Callback): Promise<boolean> {
  if (await pushArrives(context, callback)) return true;
  const isMissing = (await movesPauses(context)) && (await movesAllPauses(context));
  if (isMissing) context.expect(rule, false, "the directive does not reach the webhook of its agent");
  else context.skip(rule, `the directive does not reach the webhook of its agent: ${notYetReason(context)}`);
  return false;
}

const pushesDirectives: Scenario = {
  name: "webhooks-push",
  says: "a directive is signed and pushed to the webhook of its agent, and stays in the mailbox until it is acknowledged",
  rules: ["MA2H-INB-020"],
  needs: [...needs, "development"],
  withinMs: 300_000,
  async play(context) {
    await requireWebhooks(context);
    await withCallback(context, [200], async (callback) => {
      const id = await writeDirective(context);
      if (!(await judgeFirstPush(context, "MA2H-INB-020", callback))) return;
      const [arrival] = callback.arrivals;
      const signature = arrival?.headers["ahcp-signature"];
      const isSignaturePresent = signature !== undefined;
      context.expect("MA2H-INB-020", isSignaturePresent, "a directive reaches a webhook without its signature header");
      if (!context.has("entry-key")) context.skip("MA2H-INB-020", "no hook returns the key of entries");
      else if (isSignaturePresent) {
        const entry = { kind: "directive", key: id, payload: directiveIn(arrival), signature };
        const isValid = await hasValidSignature(context, entry, { agent: context.agents.a });
        context.expect("MA2H-INB-020", isValid, "the signature at a webhook does not match the directive");
      }
      if (context.has("track")) {
        // The hub may not have processed the answer yet.
        const { state } = await waitUntil(
          context,
          () => context.hook("track", { id }),
          (track) => track.state !== "queued",
        );
        context.expect("MA2H-INB-020", state === "delivered", `a directive that its webhook accepted is ${state}`);
      } else context.skip("MA2H-INB-020", "no hook shows the person's view");
      const isStillQueued = (await drain(context, "a")).some(({ key }) => key === id);
      context.expect("MA2H-INB-020", isStillQueued, "a pushed directive is no longer in the mailbox");
      await acknowledgeEntries(context, "a", [id]);
    });
  },
};

const pushesOnlyDirectives: Scenario = {
  name: "webhooks-get-directives",
  says: "a webhook receives only directives, not messages, outcomes or receipts",
  rules: ["MA2H-INB-019"],
  needs: [...needs, "development"],
  withinMs: 300_000,
  async play(context) {
    await requireWebhooks(context);
    const { inter_agent: interAgent } = await readPublished(context);
    if (!isObject(interAgent) || interAgent.enabled !== true)
      throw new TargetSkip("the hub does not let agents write to each other");
    await withCallback(context, [200], async (callback) => {
      const [session, sibling] = [await register(context), await register(context)];
      const send = async (type: "notify" | "ask", addressee?: string): Promise<string> => {
        const message = messageTo(context, type, addressOf(context, "a", addressee));
        return (await submit(context, fromSession(message, session.id))).id;
      };
      await send("notify");
      await send("notify", sibling.id);
      await resolveAs(context, await send("ask", session.id), { as: "a", session: session.id });
      await close(context, sibling.id);
      const id = await writeDirective(context);
      if (!(await judgeFirstPush(context, "MA2H-INB-019", callback))) return;
      await morePushesArrive(context, callback, callback.arrivals.length, 2000);
      const types = callback.arrivals.map(directiveIn).map(({ type }) => type);
      const unexpectedType = types.find((type) => type !== "directive");
      const why = `a webhook receives an entry of the type ${unexpectedType}`;
      context.expect("MA2H-INB-019", unexpectedType === undefined, why);
      const keys = (await drain(context, "a", session.id)).map(({ key }) => key);
      await acknowledgeEntries(context, "a", [...keys, id], session.id);
    });
  },
};

const retriesFailures: Scenario = {
  name: "webhooks-retries",
  says: "a directive is pushed again after a failure but not after a refusal, and can be drained in both cases",
  rules: ["MA2H-INB-020"],
  needs: [...needs, "development"],
  withinMs: 500_000,
  waits: 120_000,
  ownTimers: "pushes",
  async play(context) {
    await requireWebhooks(context);
    await withCallback(context, failures, async (callback) => {
      const id = await writeDirective(context);
      if (!(await judgeFirstPush(context, "MA2H-INB-020", callback))) return;
      const isRetried = await waitForPushes(context, callback, failures.length, twoDaysMs);
      const { length: pushes } = callback.arrivals;
      const canJudge = isRetried || (await movesPauses(context));
      if (!canJudge) context.skip("MA2H-INB-020", noClockReason);
      else context.expect("MA2H-INB-020", isRetried, `despite failures a directive is pushed only ${pushes} times`);
      await acknowledgeEntries(context, "a", [id]);
    });
    await withCallback(context, [400], async (callback) => {
      const id = await writeDirective(context);
      if (!(await pushArrives(context, callback))) return;
      const isRetried = await morePushesArrive(context, callback, 1, 60_000);
      context.expect("MA2H-INB-020", !isRetried, "a directive that its webhook refused with HTTP 400 is pushed again");
      const isStillQueued = (await drain(context, "a")).some(({ key }) => key === id);
      context.expect("MA2H-INB-020", isStillQueued, "a directive that its webhook refused cannot be drained");
      await acknowledgeEntries(context, "a", [id]);
    });
  },
};

const resumesAfterRestart: Scenario = {
  name: "webhooks-restart",
  says: "after a restart the hub continues to push a directive that the webhook has not accepted yet",
  rules: ["MA2H-DUR-010"],
  needs: [...needs, "development", "restart"],
  withinMs: 500_000,
  waits: 120_000,
  ownTimers: "pushes",
  async play(context) {
    await requireWebhooks(context);
    await withCallback(context, failures, async (callback) => {
      const id = await writeDirective(context);
      if (!(await pushArrives(context, callback))) return context.skip("MA2H-DUR-010", notYetReason(context));
      await restart(context);
      // Only an attempt after the restart shows that the push was resumed.
      const pushesBefore = callback.arrivals.length;
      if (pushesBefore >= failures.length)
        return context.skip("MA2H-DUR-010", "all attempts were made before the restart");
      const isResumed = await waitForPushes(context, callback, pushesBefore + 1, twoDaysMs);
      if (!isResumed && !(await movesPauses(context))) return context.skip("MA2H-DUR-010", noClockReason);
      context.expect(
        "MA2H-DUR-010",
        isResumed,
        "a directive that the webhook has not accepted yet is not pushed after a restart",
      );
      await acknowledgeEntries(context, "a", [id]);
    });
  },
};

const ignoresRedirects: Scenario = {
  name: "webhooks-redirect",
  says: "the hub does not follow redirects of a webhook",
  rules: ["MA2H-SSR-007"],
  needs: [...needs, "development"],
  withinMs: 300_000,
  waits: 10_000,
  async play(context) {
    await requireWebhooks(context);
    const redirectTarget = await context.callback([200]);
    for (const status of [302, 307]) {
      await withCallback(context, [{ status, headers: { location: redirectTarget.url } }], async (callback) => {
        const id = await writeDirective(context);
        if (!(await pushArrives(context, callback))) return context.skip("MA2H-SSR-007", notYetReason(context));
        const isFollowed = await morePushesArrive(context, redirectTarget, 0, 2000);
        context.expect("MA2H-SSR-007", !isFollowed, `the hub follows a webhook's redirect with HTTP ${status}`);
        await acknowledgeEntries(context, "a", [id]);
      });
    }
  },
};

const guardsPrivateAddresses: Scenario = {
  name: "webhooks-private",
  says: "directives are not pushed to private addresses, even if a name resolves to one only later",
  rules: ["MA2H-SSR-007"],
  needs: [...needs, "production", "names"],
  withinMs: 300_000,
  waits: 30_000,
  async play(context) {
    await requireWebhooks(context);
    const callback = await context.callback([200]);
    const expectNoPush = async (url: string, target: string, beforePush?: () => Promise<void>): Promise<void> => {
      const { length: pushesBefore } = callback.arrivals;
      await withWebhook(context, url, async () => {
        await beforePush?.();
        const id = await writeDirective(context);
        const isPushed = await morePushesArrive(context, callback, pushesBefore, 4000);
        context.expect("MA2H-SSR-007", !isPushed, `a directive is pushed to ${target}`);
        await acknowledgeEntries(context, "a", [id]);
      });
    };
    await expectNoPush(urlAtHost("127.0.0.1", callback), "a private address");
    await context.hook("names", { host: "unbound.example", answers: [["127.0.0.1"]] });
    await expectNoPush(urlAtHost("unbound.example", callback), "a host that is not bound to the agent");
    await context.hook("names", { host: "bound.example", answers: [["203.0.113.1"]] });
    const url = urlAtHost("bound.example", callback);
    if (context.has("bind")) await bindAnyway(context, url);
    await expectNoPush(url, "a name that resolves to a private address by then", async () => {
      await context.hook("names", { host: "bound.example", answers: [["127.0.0.1"]] });
    });
  },
};

export const webhooks: readonly Scenario[] = [
  pushesDirectives,
  pushesOnlyDirectives,
  retriesFailures,
  resumesAfterRestart,
  ignoresRedirects,
  guardsPrivateAddresses,
];
