import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { quote } from "../../base/text/show.ts";
import type { OnLost } from "./server.ts";

/** The number of consecutive messages without an answer after which the connection is closed. */
const maxMessages = 10_000;

/** Wraps a transport to match the answers of a server with the requests. An answer without an open request, or endless notifications, which the SDK ignores, mean that the server cannot be understood. */
export function watchTransport(inner: Transport, lost: OnLost): Transport {
  const openIds = new Set<unknown>();
  let unansweredCount = 0;
  const isExpected = (message: Parameters<NonNullable<Transport["onmessage"]>>[0]): boolean => {
    if ("method" in message) {
      unansweredCount += 1;
      if (unansweredCount === maxMessages) lost("protocol", `it sent ${maxMessages} messages and no answer among them`);
      return unansweredCount < maxMessages;
    }
    unansweredCount = 0;
    if (openIds.delete(message.id)) return true;
    lost("protocol", `it sent an answer to no open question: ${quote(JSON.stringify(message))}`);
    return false;
  };
  const outer: Transport = {
    start() {
      inner.onmessage = (message, extra) => {
        if (isExpected(message)) outer.onmessage?.(message, extra);
      };
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    send(message, options) {
      if ("method" in message && "id" in message) openIds.add(message.id);
      return inner.send(message, options);
    },
    close: () => inner.close(),
    setProtocolVersion: (revision) => inner.setProtocolVersion?.(revision),
  };
  return outer;
}
