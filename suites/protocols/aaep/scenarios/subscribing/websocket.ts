import { WebSocket } from "undici";
import { type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { headerOf, withCredential, withoutCredentials } from "../../../../base/http/identity.ts";
import { boundOf } from "../bounds.ts";
import { isAnswer, lineOn } from "./duplex.ts";
import { closes, inboxOf } from "./inbox.ts";
import type { Line, SubscriptionWishes } from "./line.ts";
import { requestOf } from "./request.ts";

/** Speaks over WebSocket: one message per text frame, beginning with the request. */
export async function overWebSocket(
  context: ScenarioContext,
  url: string,
  wanted: SubscriptionWishes,
  protocols: string[] = ["aaep.v1"],
): Promise<Line & { protocol: string; closed: Promise<number | undefined> }> {
  const { name = "subscriber", as = "a" } = wanted;
  const { headers: given = {}, credentials = {}, timeScale = 1 } = context.setting;
  const shown = {
    a: credentials.a === undefined ? given : withCredential(given, credentials.a).headers,
    b: { ...withoutCredentials(given), ...(credentials.b === undefined ? {} : headerOf(credentials.b)) },
    nobody: withoutCredentials(given),
  };
  const inbox = inboxOf(context, name);
  const socket = new WebSocket(url, { protocols, headers: { ...shown[as] } });
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
  write(JSON.stringify(requestOf(context, wanted)));
  const answer = await inbox.seen(isAnswer);
  const cut = (): void => {
    context.record({ from: name, to: "producer", text: closes });
    socket.close();
  };
  const line = lineOn({ inbox, wanted, answer, write, cut });
  return { ...line, protocol: socket.protocol, closed };
}
