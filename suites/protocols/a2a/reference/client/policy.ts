import { eventReader } from "../../../../running/scenarios/way/event-stream.ts";
import type { ClientPolicy } from "./client.ts";

const knownBindings: readonly string[] = ["JSONRPC", "HTTP+JSON"];

/** The decisions of a client that follows every rule. */
export const correctClient: ClientPolicy = {
  delay: 0,
  chooseEndpoints: (endpoints) =>
    endpoints.filter(({ binding, version }) => knownBindings.includes(binding) && /^1\.0(?:\.\d+)?$/.test(version)),
  triesNextInterface: true,
  checksCapability: () => true,
  callsWithoutExtension: false,
  reportsMissingExtension: true,
  usesCard: (_card, isVerified) => isVerified,
  createId: (count) => `call-${count}`,
  encode: (value) => encodeURIComponent(value),
  changeRequest: (request) => request,
  isAnswerTo: (id, call) => id === call.id,
  acceptsResult: () => true,
  reportFailure: (facts) => facts,
  noticesFailure: () => true,
  splitEvents(handleData) {
    const reader = eventReader(({ data }) => handleData(data));
    return (text) => reader.take(text);
  },
  createDecoder() {
    const decoder = new TextDecoder();
    return (piece) => decoder.decode(piece, { stream: true });
  },
  followOperation: "GetTask",
};
