import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { diagnosis } from "./diagnosis.ts";
import { messageDocuments, messagesIn, type ObjectSpot, objectsIn, spots, streams } from "./places.ts";
import { firstSchemaError, payloadSchema } from "./shapes.ts";
import { isShallow } from "./size.ts";

/** A request, with its answers in order. */
interface RecordedRequest {
  request: JsonObject;
  answers: ObjectSpot[];
  isStream: boolean;
}

function checker(rule: string, judge: (exchange: RecordedRequest) => Iterable<Breach>): Checker {
  return {
    rule,
    documents: ["exchange"],
    *check(instance: Json) {
      const exchange = readRecord(instance);
      if (exchange !== undefined) yield* judge(exchange);
    },
  };
}

function readRecord(instance: Json): RecordedRequest | undefined {
  const request = spots(instance, "/request")[0]?.value;
  if (request === undefined || !isObject(instance) || !Array.isArray(instance.answers)) return undefined;
  const answers = objectsIn({ value: instance, at: "" }, "answers");
  return { request, answers, isStream: streams.includes(String(request.method)) };
}

function isEvent({ value }: ObjectSpot): boolean {
  return value.type === "event";
}

export const exchangeCheckers: readonly Checker[] = [
  checker("SNAP-RCPT-003", function* ({ request, answers, isStream }) {
    if (!isStream && answers.length === 0) yield { at: "/answers", why: "have no response" };
    for (const { value, at } of answers.filter((answer) => !isEvent(answer))) {
      const { id, type, method, from, to } = value;
      if (type !== "response") yield { at: `${at}/type`, why: `is ${type}, and no response` };
      if (from !== request.to)
        yield { at: `${at}/from`, why: `is ${from}, not the agent that was asked, ${request.to}` };
      if (to !== request.from) yield { at: `${at}/to`, why: `is ${to}, not the agent that asked, ${request.from}` };
      // For a stream, another rule judges each item.
      if (!isStream && method !== request.method)
        yield { at: `${at}/method`, why: `is ${method}, not that of the request` };
      if (id === request.id) yield { at: `${at}/id`, why: "is that of the request", level: "SHOULD" };
    }
  }),
  checker("SNAP-RCPT-004", function* ({ answers, isStream, request }) {
    const schema = payloadSchema(request.method, "response");
    if (isStream || schema === undefined) return;
    for (const { value, at } of answers) {
      const why = value.type === "response" ? schemaErrorOf(value.payload, schema) : undefined;
      if (why !== undefined)
        yield { at: `${at}/payload`, why: `does not fit the schema of a response of ${request.method}: ${why}` };
    }
  }),
  checker("SNAP-STREAM-001", function* ({ answers, isStream }) {
    if (!isStream) return;
    const responseIndex = answers.findIndex((answer) => !isEvent(answer));
    if (responseIndex === -1) yield { at: "/answers", why: "end without a response" };
    else if (responseIndex < answers.length - 1)
      yield { at: `/answers/${responseIndex + 1}`, why: "comes after the response" };
  }),
  checker("SNAP-STREAM-002", function* ({ answers, isStream, request }) {
    if (!isStream) return;
    for (const { value, at } of answers) {
      if (value.method !== request.method)
        yield { at: `${at}/method`, why: `is ${value.method}, not that of the request` };
      const signatureFault = diagnosis(value);
      if (signatureFault !== undefined) yield { at: `${at}/sig`, why: signatureFault.why };
    }
  }),
  {
    rule: "SNAP-STREAM-003",
    documents: ["exchange", ...messageDocuments],
    *check(instance, document) {
      const { answers = [], isStream } = (document === "exchange" ? readRecord(instance) : undefined) ?? {};
      for (const { at } of isStream ? [] : answers.filter(isEvent))
        yield { at, why: "is an event, for a method without a stream" };
      // Without its request, only an event for a method that never streams is remarkable.
      for (const { value, at } of messagesIn(instance, document))
        if (isEvent({ value, at }) && !streams.includes(String(value.method)))
          yield { at: `${at}/type`, why: `is event, and ${value.method} has no stream that is known`, level: "NOTE" };
    },
  },
  checker("SNAP-STREAM-006", function* ({ answers, isStream }) {
    const last = answers.at(-1);
    if (!isStream || last === undefined || isEvent(last)) return;
    const at = `${last.at}/payload`;
    const why = schemaErrorOf(last.value.payload, "payloads/message-send.response");
    if (why !== undefined) yield { at, why: `does not fit the schema of a response of message/send: ${why}` };
    const [task] = spots(last.value, "/payload/task");
    const finalIds = new Set(task && objectsIn(task, "artifacts").map(({ value }) => value.artifactId));
    const streamedArtifacts = answers.flatMap((answer) =>
      isEvent(answer) ? spots(answer.value, "/payload/artifact") : [],
    );
    const missingArtifact = streamedArtifacts.find(({ value }) => !finalIds.has(value.artifactId));
    if (task !== undefined && missingArtifact !== undefined && isCompleted(task))
      yield {
        at: `${at}/task`,
        why: `lacks the artifact ${JSON.stringify(missingArtifact.value.artifactId)} that an event brought`,
      };
  }),
];

function schemaErrorOf(payload: Json | undefined, schema: string): string | undefined {
  return isObject(payload) && isShallow(payload) ? firstSchemaError(schema, payload) : undefined;
}

function isCompleted({ value: { status } }: ObjectSpot): boolean {
  return isObject(status) && status.state === "completed";
}
