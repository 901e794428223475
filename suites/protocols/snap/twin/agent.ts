import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { NotJson, type ReaderNotes, readJson } from "../../../packs/twins/json.ts";
import { DocumentCheck, type DocumentFault, forms, type Strict } from "./check.ts";
import { addressOf, bytesOf, cardDigest, digestOf, keysOf, signDigest } from "./crypto.ts";
import { checkClock, checkForm, checkSemantics, type EnvelopeMessage } from "./envelope.ts";
import { membersOf } from "./member-lists.ts";
import { checkPayload, methods } from "./payloads.ts";

/** A running agent with its own identity. It does not store tasks. */
export interface TwinAgent {
  url: string;
  address: string;
  close(): Promise<void>;
}

export interface AgentOptions {
  strict: Strict;
  /** Private key in hexadecimal. */
  secret: string;
  /** A check that the agent omits, to test that the suite detects it. */
  forgets?: "recipient" | "signature";
}

/** A refusal with an error code of the protocol. */
class CodedRefusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Serves the agent on a loopback port. */
export async function serve({ strict, secret, forgets }: AgentOptions): Promise<TwinAgent> {
  const { output, tweaked } = keysOf(secret);
  const address = addressOf("bc", output);
  const readerOptions = { maxDepth: 1000, ignoresMark: !strict("byte-order-mark") };
  const seenIds = new Set<string>();
  const answerTo = (message: Json | undefined, payload: Json): JsonObject =>
    signedAnswer({ address, tweaked, strict }, message, payload);

  /** Returns the payload of the answer. Throws a CodedRefusal, or NotJson. */
  const handleValue = (value: Json, notes: ReaderNotes): Json => {
    const envelope = checkValue(value, notes, strict, forgets);
    if (forgets !== "recipient" && envelope.to !== address)
      throw new CodedRefusal(strict("wrong-recipient-code") ? 2003 : 1003, "the recipient is another agent");
    const lateCheck = new DocumentCheck(strict);
    checkClock(lateCheck, envelope, nowSeconds(), "/timestamp");
    if (lateCheck.faults.length > 0) throw new CodedRefusal(2004, "the timestamp is not current");
    const seenKey = `${envelope.from} ${envelope.id}`;
    if (seenIds.has(seenKey)) throw new CodedRefusal(2006, "the id was used before");
    seenIds.add(seenKey);
    if (strict("offered-methods") ? envelope.method !== "message/send" : !methods.includes(envelope.method))
      throw new CodedRefusal(1007, "no such method");
    reject(
      strict,
      (check) => checkPayload(check, envelope.payload, { ...envelope, profile: "base" }, "/payload"),
      notes,
      1004,
    );
    if (typeof envelope.payload.taskId === "string") throw new CodedRefusal(1001, "no such task");
    return {
      task: { id: `task-${crypto.randomUUID()}`, status: { state: "working", timestamp: new Date().toISOString() } },
    };
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const send = (status: number, body?: Json): void => {
      response.writeHead(status, { "content-type": "application/json", "snap-version": "0.1" });
      response.end(body === undefined ? "" : JSON.stringify(body));
    };
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "GET") {
        return strict("well-known-card") ? send(200, servedCardOf(address, output, tweaked)) : send(404);
      }
      let message: Json | undefined;
      try {
        const { value, notes } = readJson(Buffer.concat(chunks), readerOptions);
        message = value;
        send(200, answerTo(message, handleValue(value, notes)));
      } catch (cause) {
        if (cause instanceof NotJson) return send(400);
        if (!(cause instanceof CodedRefusal)) throw cause;
        const { code } = cause;
        const isReported = !strict("error-status") && code > 2000 && code < 3000;
        send(isReported ? 401 : 200, answerTo(message, { error: { code, message: cause.message } }));
      }
    });
  });
  return listen(server, address);
}

/** Makes the card for the well-known path, signed with the current time. */
function servedCardOf(address: string, publicKey: string, secret: Uint8Array): JsonObject {
  const card = cardOf(address);
  const timestamp = nowSeconds();
  return { card, sig: signDigest(cardDigest(card, timestamp), secret), publicKey, timestamp };
}

/** The signer of an answer. */
interface AnswerSigner extends Pick<ReturnType<typeof keysOf>, "tweaked"> {
  address: string;
  strict: Strict;
}

function signedAnswer(
  { address, tweaked, strict }: AnswerSigner,
  message: Json | undefined,
  payload: Json,
): JsonObject {
  const { from, method } = isObject(message) ? message : {};
  const hasSender = typeof from === "string" && forms.address.test(from);
  const id = `ans-${crypto.randomUUID()}`;
  const answeredMethod = typeof method === "string" && forms.method.test(method) ? method : "message/send";
  const to = hasSender ? { to: from } : {};
  const unsignedAnswer = {
    id,
    version: "0.1",
    from: address,
    ...to,
    type: "response",
    method: answeredMethod,
    payload,
    timestamp: nowSeconds(),
  };
  return strict("signed-responses")
    ? { ...unsignedAnswer, sig: signDigest(digestOf(bytesOf(unsignedAnswer)), tweaked) }
    : unsignedAnswer;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Checks a message, except for its time and recipient. Throws a CodedRefusal. */
function checkValue(
  value: Json,
  notes: ReaderNotes,
  strict: Strict,
  forgets: AgentOptions["forgets"],
): EnvelopeMessage {
  if (notes.repeated.length + notes.surrogates.length > 0) throw new CodedRefusal(1003, "not I-JSON");
  const knownMembers = isObject(value) && !strict("unknown-members") ? dropUnknownMembers(value) : value;
  reject(strict, (check) => void checkForm(check, knownMembers, ""), notes, 1003);
  const envelope = knownMembers as unknown as EnvelopeMessage;
  if (envelope.version !== "0.1") throw new CodedRefusal(5004, "unsupported version");
  if (envelope.type !== "request") throw new CodedRefusal(1003, "not a request");
  reject(
    strict,
    (check) => checkSemantics(check, envelope, "", forgets === "signature" ? { unsigned: true } : {}),
    notes,
    2001,
  );
  return envelope;
}

function dropUnknownMembers(message: JsonObject): JsonObject {
  const names = membersOf("envelope");
  return Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name)));
}

function reject(strict: Strict, judge: (check: DocumentCheck) => void, notes: ReaderNotes, code: number): void {
  const check = new DocumentCheck(strict, notes);
  judge(check);
  const firstFault: DocumentFault | undefined = check.faults[0];
  if (firstFault !== undefined)
    throw new CodedRefusal(codeOf(firstFault, code, strict), `${firstFault.at} ${firstFault.why}`);
}

function codeOf({ at }: DocumentFault, code: number, strict: Strict): number {
  if (!strict("malformed-code") && code < 2000) return 1004;
  if (at === "/from" || at === "/to") return 2005;
  return code === 2001 && !strict("foreign-key-code") ? 2003 : code;
}

function cardOf(identity: string): JsonObject {
  const skill = { id: "echo", name: "Echo", description: "Says what was said.", tags: ["echo"] };
  const mediaTypes = ["text/plain"];
  return {
    name: "Twin",
    description: "Keeps every rule.",
    version: "1.0.0",
    identity,
    skills: [skill],
    defaultInputModes: mediaTypes,
    defaultOutputModes: mediaTypes,
  };
}

function listen(server: Server, address: string): Promise<TwinAgent> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const close = (): Promise<void> =>
        new Promise((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ url: `http://127.0.0.1:${port}`, address, close });
    });
  });
}
