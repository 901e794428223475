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
import { arrives, morePushesCome, whyNotYet } from "../../ahcp/scenarios/due-messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { bodyOf, movesAllPauses, movesPauses, waitForPushes, whyNoClock } from "../../ahcp/scenarios/pushes.ts";
import { restart } from "../../ahcp/scenarios/restarting.ts";
import { submit } from "../../ahcp/scenarios/steps.ts";
import { mustDirect } from "./person.ts";
import { isSigned } from "./signed.ts";
import {
  addressOf,
  close,
  drain,
  fromSession,
  messageTo,
  publishedMailboxes,
  register,
  resolveAs,
  take,
  waitUntil,
} from "./talk.ts";

const needs = ["directive-webhook", "direct", "receiver"] as const;

/** Throws a TargetSkip for a hub that pushes no directives. */
async function requireWebhooks(context: ScenarioContext): Promise<void> {
  if ((await publishedMailboxes(context))?.webhook_supported !== true)
    throw new TargetSkip("the hub pushes no directives");
}

/** Registers a URL for the directives of agent `a`, plays, and removes it. Returns whether the hub accepted the URL. */
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

/** Plays with a callback with these reactions as the webhook of agent `a`. Throws a TargetSkip if the hub refuses it. */
async function withCallback(
  context: ScenarioContext,
  reactions: readonly Reaction[],
  play: (callback: Callback) => Promise<void>,
): Promise<void> {
  const callback = await context.callback(reactions);
  const isAccepted = await withWebhook(context, callback.url, () => play(callback));
  if (!isAccepted) throw new TargetSkip("the hub refuses a webhook at the address of the suite");
}

/** Writes a directive to agent `a`. */
function writeDirective(context: ScenarioContext): Promise<string> {
  return mustDirect(context, { to: addressOf(context, "a"), title: "d", body: "x" });
}

/** The pushed directive; the body is the directive itself or an object that contains it. */
function directiveIn(arrival: Arrival | undefined): JsonObject {
  const body = bodyOf(arrival);
  return isObject(body.directive) ? body.directive : body;
}

/** Waits for the first push. A missing push counts as a violation only if the hub's clock moves all of its pauses. */
async function judgeFirst(context: ScenarioContext, rule: string, callback: Callback): Promise<boolean> {
  if (await arrives(context, callback)) return true;
  const isMissing = (await movesPauses(context)) && (await movesAllPauses(context));
  if (isMissing) context.expect(rule, false, "no directive reaches the webhook of its agent");
  else context.skip(rule, `no directive reaches the webhook of its agent: ${whyNotYet(context)}`);
  return false;
}

const pushesDirectives: Scenario = {
  name: "webhooks-push",
  says: "a directive comes to the webhook of its agent, signed, and stays in the mailbox until it is acknowledged",
  rules: ["MA2H-INB-020"],
  needs: [...needs, "development"],
  withinMs: 300_000,
  async play(context) {
    await requireWebhooks(context);
    await withCallback(context, [200], async (callback) => {
      const id = await writeDirective(context);
      if (!(await judgeFirst(context, "MA2H-INB-020", callback))) return;
      const [arrival] = callback.arrivals;
      const signature = arrival?.headers["ahcp-signature"];
      const isThere = signature !== undefined;
      context.expect("MA2H-INB-020", isThere, "a directive reaches a webhook without its signature header");
      if (!context.has("entry-key")) context.skip("MA2H-INB-020", "no hook gives the key of entries");
      else if (isThere) {
        const entry = { kind: "directive", key: id, payload: directiveIn(arrival), signature };
        const holds = await isSigned(context, entry, { agent: context.agents.a });
        context.expect("MA2H-INB-020", holds, "the signature at a webhook does not match the directive");
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
      const isLeft = (await drain(context, "a")).some(({ key }) => key === id);
      context.expect("MA2H-INB-020", isLeft, "a directive that was pushed is not in the mailbox any more");
      await take(context, "a", [id]);
    });
  },
};

const pushesOnlyDirectives: Scenario = {
  name: "webhooks-get-directives",
  says: "a webhook gets no messages, outcomes and receipts",
  rules: ["MA2H-INB-019"],
  needs: [...needs, "development"],
  withinMs: 300_000,
  async play(context) {
    await requireWebhooks(context);
    const { inter_agent: between } = await readPublished(context);
    if (!isObject(between) || between.enabled !== true)
      throw new TargetSkip("the hub does not let agents write to each other");
    await withCallback(context, [200], async (callback) => {
      const [one, other] = [await register(context), await register(context)];
      const send = async (type: "notify" | "ask", session?: string): Promise<string> => {
        const message = messageTo(context, type, addressOf(context, "a", session));
        return (await submit(context, fromSession(message, one.id))).id;
      };
      await send("notify");
      await send("notify", other.id);
      await resolveAs(context, await send("ask", one.id), { as: "a", session: one.id });
      await close(context, other.id);
      const id = await writeDirective(context);
      if (!(await judgeFirst(context, "MA2H-INB-019", callback))) return;
      await morePushesCome(context, callback, callback.arrivals.length, 2000);
      const kinds = callback.arrivals.map(directiveIn).map(({ type }) => type);
      const strange = kinds.find((kind) => kind !== "directive");
      context.expect("MA2H-INB-019", strange === undefined, `a webhook gets an entry of the type ${strange}`);
      const keys = (await drain(context, "a", one.id)).map(({ key }) => key);
      await take(context, "a", [...keys, id], one.id);
    });
  },
};

const retriesFailures: Scenario = {
  name: "webhooks-retries",
  says: "a directive is pushed again after failures and not after a refusal, and can be drained in any case",
  rules: ["MA2H-INB-020"],
  needs: [...needs, "development"],
  withinMs: 500_000,
  waits: 120_000,
  ownTimers: "pushes",
  async play(context) {
    await requireWebhooks(context);
    await withCallback(context, failures, async (callback) => {
      const id = await writeDirective(context);
      if (!(await judgeFirst(context, "MA2H-INB-020", callback))) return;
      const isAgain = await waitForPushes(context, callback, failures.length, 48 * 3_600_000);
      const { length } = callback.arrivals;
      const isShown = isAgain || (await movesPauses(context));
      if (!isShown) context.skip("MA2H-INB-020", whyNoClock);
      else context.expect("MA2H-INB-020", isAgain, `after failures a directive is pushed ${length} times in all`);
      await take(context, "a", [id]);
    });
    await withCallback(context, [400], async (callback) => {
      const id = await writeDirective(context);
      if (!(await arrives(context, callback))) return;
      const isAgain = await morePushesCome(context, callback, 1, 60_000);
      context.expect("MA2H-INB-020", !isAgain, "a directive that its webhook refused with HTTP 400 is pushed again");
      const isLeft = (await drain(context, "a")).some(({ key }) => key === id);
      context.expect("MA2H-INB-020", isLeft, "a directive that its webhook refused cannot be drained");
      await take(context, "a", [id]);
    });
  },
};

const resumesAfterRestart: Scenario = {
  name: "webhooks-restart",
  says: "a directive that waits for its webhook is pushed after a restart",
  rules: ["MA2H-DUR-010"],
  needs: [...needs, "development", "restart"],
  withinMs: 500_000,
  waits: 120_000,
  ownTimers: "pushes",
  async play(context) {
    await requireWebhooks(context);
    await withCallback(context, failures, async (callback) => {
      const id = await writeDirective(context);
      if (!(await arrives(context, callback))) return context.skip("MA2H-DUR-010", whyNotYet(context));
      await restart(context);
      // Only an attempt after the restart shows that the push was resumed.
      const before = callback.arrivals.length;
      if (before >= failures.length) return context.skip("MA2H-DUR-010", "all attempts had come before the restart");
      const isResumed = await waitForPushes(context, callback, before + 1, 48 * 3_600_000);
      if (!isResumed && !(await movesPauses(context))) return context.skip("MA2H-DUR-010", whyNoClock);
      context.expect("MA2H-DUR-010", isResumed, "a directive that waits for its webhook is forgotten at a restart");
      await take(context, "a", [id]);
    });
  },
};

const ignoresRedirects: Scenario = {
  name: "webhooks-redirect",
  says: "a redirect of a webhook is not followed",
  rules: ["MA2H-SSR-007"],
  needs: [...needs, "development"],
  withinMs: 300_000,
  waits: 10_000,
  async play(context) {
    await requireWebhooks(context);
    const hidden = await context.callback([200]);
    for (const status of [302, 307]) {
      await withCallback(context, [{ status, headers: { location: hidden.url } }], async (callback) => {
        const id = await writeDirective(context);
        if (!(await arrives(context, callback))) return context.skip("MA2H-SSR-007", whyNotYet(context));
        const isFollowed = await morePushesCome(context, hidden, 0, 2000);
        context.expect("MA2H-SSR-007", !isFollowed, `a webhook's redirect with HTTP ${status} is followed`);
        await take(context, "a", [id]);
      });
    }
  },
};

const guardsPrivateAddresses: Scenario = {
  name: "webhooks-private",
  says: "no directive is pushed to private addresses, even if a name leads there only later",
  rules: ["MA2H-SSR-007"],
  needs: [...needs, "production", "names"],
  withinMs: 300_000,
  waits: 30_000,
  async play(context) {
    await requireWebhooks(context);
    const callback = await context.callback([200]);
    const expectNoPush = async (url: string, words: string, between?: () => Promise<void>): Promise<void> => {
      const { length } = callback.arrivals;
      await withWebhook(context, url, async () => {
        await between?.();
        const id = await writeDirective(context);
        const hasCome = await morePushesCome(context, callback, length, 4000);
        context.expect("MA2H-SSR-007", !hasCome, `a directive is pushed to ${words}`);
        await take(context, "a", [id]);
      });
    };
    await expectNoPush(urlAtHost("127.0.0.1", callback), "a private address");
    await context.hook("names", { host: "unbound.example", answers: [["127.0.0.1"]] });
    await expectNoPush(urlAtHost("unbound.example", callback), "a host that is not the agent's");
    await context.hook("names", { host: "bound.example", answers: [["203.0.113.1"]] });
    const url = urlAtHost("bound.example", callback);
    if (context.has("bind")) await bindAnyway(context, url);
    await expectNoPush(url, "a name that leads to a private address by then", async () => {
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
