import { WebSocket } from "undici";
import { type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { headerForCredential, withCredential, withoutCredentials } from "../../../../base/http/identity.ts";
import { boundOf } from "../bounds.ts";
import { isAnswer, subscriptionOn } from "./duplex-subscription.ts";
import { closeNote, openInbox } from "./inbox.ts";
import type { OpenSubscription, SubscriptionOptions } from "./open-subscription.ts";
import { requestOf } from "./request.ts";

/** Subscribes over WebSocket, with one message in each text frame. */
export async function subscribeOverWebSocket(
  context: ScenarioContext,
  url: string,
  options: SubscriptionOptions,
  protocols: string[] = ["aaep.v1"],
): Promise<OpenSubscription & { protocol: string; closed: Promise<number | undefined> }> {
  const { name = "subscriber", caller = "a" } = options;
  const { headers = {}, credentials = {}, timeScale = 1 } = context.setting;
  const headersByCaller = {
    a: credentials.a === undefined ? headers : withCredential(headers, credentials.a).headers,
    b: { ...withoutCredentials(headers), ...(credentials.b === undefined ? {} : headerForCredential(credentials.b)) },
    nobody: withoutCredentials(headers),
  };
  const inbox = openInbox(context, name);
  const socket = new WebSocket(url, { protocols, headers: { ...headersByCaller[caller] } });
  context.closing(() => socket.close());
  const closed = new Promise<number | undefined>((resolve) => {
    socket.addEventListener("close", ({ code }) => {
      inbox.end();
      resolve(code);
    });
    context.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") inbox.push(data);
    else inbox.push("(a binary frame)", { profile: "is binary" });
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => (): void => reject(new TargetFailure("errored", "connect", `no WebSocket: ${why}`));
    const timer = setTimeout(fail("it does not open in time"), 2 * boundOf(context, "event") * Math.max(1, timeScale));
    socket.addEventListener("open", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.addEventListener("error", fail(`${url} does not open`));
    context.signal.addEventListener("abort", () => reject(context.signal.reason), { once: true });
  });
  const write = (text: string): void => {
    context.record({ from: name, to: "producer", text });
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  write(JSON.stringify(requestOf(context, options)));
  const answer = await inbox.waitFor(isAnswer);
  const cut = (): void => {
    context.record({ from: name, to: "producer", text: closeNote });
    socket.close();
  };
  const subscription = subscriptionOn({ inbox, options, answer, write, cut });
  return { ...subscription, protocol: socket.protocol, closed };
}
