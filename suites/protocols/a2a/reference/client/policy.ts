import { eventReader } from "../../../../running/scenarios/way/event-stream.ts";
import type { ClientPolicy } from "./client.ts";

const knownBindings: readonly string[] = ["JSONRPC", "HTTP+JSON"];

/** The decisions of a client that keeps every rule. */
export const rightClient: ClientPolicy = {
  delay: 0,
  chooseEndpoints: (all) =>
    all.filter(({ binding, version }) => knownBindings.includes(binding) && /^1\.0(?:\.\d+)?$/.test(version)),
  triesNextInterface: true,
  checksCapability: () => true,
  callsWithoutExtension: false,
  reportsMissingExtension: true,
  usesCard: (_card, holds) => holds,
  createId: (count) => `call-${count}`,
  encode: (value) => encodeURIComponent(value),
  changeRequest: (request) => request,
  isAnswerTo: (id, call) => id === call.id,
  acceptsResult: () => true,
  reportFailure: (facts) => facts,
  noticesFailure: () => true,
  splitEvents(take) {
    const reader = eventReader(({ data }) => take(data));
    return (text) => reader.take(text);
  },
  createDecoder() {
    const decoder = new TextDecoder();
    return (piece) => decoder.decode(piece, { stream: true });
  },
  followOperation: "GetTask",
};
