import { eventReader } from "../../../../running/scenarios/way/event-stream.ts";
import type { ClientPolicy } from "./client.ts";

const bindings: readonly string[] = ["JSONRPC", "HTTP+JSON"];

/** The decisions of a client that keeps every rule. */
export const rightClient: ClientPolicy = {
  delay: 0,
  endpoints: (all) =>
    all.filter(({ binding, version }) => bindings.includes(binding) && /^1\.0(?:\.\d+)?$/.test(version)),
  fallsBack: true,
  looksAt: () => true,
  callsAnyway: false,
  mindsExtensions: true,
  uses: (_card, holds) => holds,
  id: (count) => `call-${count}`,
  encodes: (value) => encodeURIComponent(value),
  requests: (request) => request,
  takesId: (id, call) => id === call.id,
  accepts: () => true,
  reports: (facts) => facts,
  minds: () => true,
  frames(take) {
    const reader = eventReader(({ data }) => take(data));
    return (text) => reader.take(text);
  },
  decodes() {
    const decoder = new TextDecoder();
    return (piece) => decoder.decode(piece, { stream: true });
  },
  follows: "GetTask",
};
