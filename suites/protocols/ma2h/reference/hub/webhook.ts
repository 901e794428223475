import type { JsonObject } from "../../../../../schemas/index.ts";
import { destinationOf, refuseForbiddenTarget } from "../../../ahcp/reference/hub/destination.ts";
import { post as send } from "../../../ahcp/reference/hub/post.ts";
import { entriesOf, signatureFor } from "./inbox.ts";
import type { PostOffice } from "./post.ts";
import type { MailEntry } from "./post-decisions.ts";

/** Registers the webhook for the directives of an agent. Without a URL, removes it. */
export function registerWebhook(office: PostOffice, { agent, url }: JsonObject): JsonObject {
  const { hub, post, decisions } = office;
  const name = String(agent);
  if (typeof url !== "string") {
    post.webhooks.delete(name);
    return { registered: false };
  }
  const refusal = decisions.guardsWebhooks
    ? refuseForbiddenTarget(hub, { mode: "push", url }, { agent: name, message: {} })
    : undefined;
  if (refusal !== undefined) return { refused: { status: refusal.status } };
  post.webhooks.set(name, url);
  return { registered: true };
}

/** Pushes the entries of an agent that have not been pushed yet. */
export function pushEntries(office: PostOffice, agent: string): void {
  const { post, decisions, spelling } = office;
  const url = post.webhooks.get(agent);
  if (url === undefined) return;
  for (const entry of entriesOf(office, agent, spelling)) {
    if (entry.mail.webhook !== undefined || entry.mail.state !== "queued" || !decisions.pushesToWebhook(entry))
      continue;
    entry.mail.webhook = "pending";
    attemptPush(office, entry, { agent, url });
  }
}

/** Resumes pending pushes after a restart of the hub. */
export function resumeWebhooks(office: PostOffice): void {
  const { post, decisions, spelling } = office;
  if (!decisions.resumesWebhooks) return;
  for (const [agent, url] of post.webhooks)
    for (const entry of entriesOf(office, agent, spelling))
      if (entry.mail.webhook === "pending") attemptPush(office, entry, { agent, url });
}

/** The registered webhook of an agent. */
interface Webhook {
  agent: string;
  url: string;
}

function attemptPush(office: PostOffice, entry: MailEntry, webhook: Webhook): void {
  const { hub, decisions } = office;
  const { mail } = entry;
  const { signal } = hub.ending;
  const handleResult = (status: number | undefined): void => {
    if (signal.aborted) return;
    mail.attempts = (mail.attempts ?? 0) + 1;
    const isAccepted = status !== undefined && status < 300;
    const shouldRetry = !isAccepted && decisions.retriesWebhook(status, mail.attempts);
    const pause = shouldRetry ? hub.policy.pauseAfter(mail.attempts) : undefined;
    if (pause !== undefined) {
      hub.clock.at(hub.clock.now() + pause * (hub.settings.timeScale ?? 1), () => attemptPush(office, entry, webhook));
      return;
    }
    mail.webhook = "over";
    decisions.recordWebhookResult(mail, isAccepted, hub.clock.now());
  };
  pushOnce(office, entry, webhook).then(handleResult, () => handleResult(undefined));
}

/** Pushes an entry and returns the status of the answer. A forbidden destination counts as a refusal with 403. */
async function pushOnce(office: PostOffice, entry: MailEntry, { agent, url }: Webhook): Promise<number> {
  const { hub, decisions } = office;
  // A broken hub without the guard connects to this machine, whatever the host name says.
  const message = {};
  const destination = decisions.guardsWebhooks
    ? await destinationOf(hub, url, { agent, message })
    : { url: new URL(url), address: "127.0.0.1" };
  if (typeof destination === "string") return 403;
  const [name = "", value = ""] = signatureFor(office, entry, agent, undefined).split(": ");
  const push = {
    ...destination,
    path: `${destination.url.pathname}${destination.url.search}`,
    headers: {
      "content-type": "application/json",
      ...(decisions.signsWebhooks ? { [name.toLowerCase()]: value } : {}),
    },
    body: JSON.stringify(decisions.webhookBody(entry.payload, `${name}: ${value}`)),
    timeoutMs: 10_000,
    signal: hub.ending.signal,
  };
  const answer = await send(push);
  if (!decisions.followsRedirects || answer.location === undefined) return answer.status;
  const redirectUrl = new URL(answer.location, destination.url);
  return (await send({ ...push, url: redirectUrl, path: `${redirectUrl.pathname}${redirectUrl.search}` })).status;
}
