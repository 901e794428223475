import { type Credential, type Document, type Json, pointer, type Question } from "../../../schemas/index.ts";
import { replaceValueAt } from "./replacement.ts";
import { findStringsAt, replaceSpans, stringInSpan } from "./spans.ts";

type PlainHeaders = Readonly<Record<string, string>>;

/** Returns the header that carries a credential. */
export function headerForCredential({ token, apikey }: Pick<Credential, "token" | "apikey">): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return apikey === undefined ? {} : { "x-api-key": apikey };
}

/** Adds a credential to a target's headers and names its agent. Headers with another credential are returned unchanged. */
export function withCredential(
  targetHeaders: PlainHeaders,
  credential: Credential,
): { headers: PlainHeaders; agent?: string } {
  const credentialHeader = headerForCredential(credential);
  const lowerCaseNames = Object.fromEntries(
    Object.entries(targetHeaders).map(([name, value]) => [name.toLowerCase(), value]),
  );
  // A credential without a key or token names the agent to which the headers belong.
  const hasOtherCredential =
    Object.keys(credentialHeader).length > 0 &&
    ["authorization", "x-api-key"].some(
      (name) => lowerCaseNames[name] !== undefined && lowerCaseNames[name] !== credentialHeader[name],
    );
  return hasOtherCredential
    ? { headers: targetHeaders }
    : { headers: { ...credentialHeader, ...targetHeaders }, agent: credential.agent };
}

const secretHeaderName = /auth|cookie|token|secret|password|key|signature|session|credential/i;

/** Returns the headers of a target without headers that are secret by their names. */
export function withoutCredentials(headers: PlainHeaders): PlainHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([agentName]) => !secretHeaderName.test(agentName)));
}

interface SenderLocation {
  /** JSON Pointer to the sender in the protocol's messages. */
  sender: string | undefined;
  document: Document;
  /** Paths to the subject of the message, which must not change. */
  keep: readonly string[];
}

/** Returns the path of a sender that may be replaced; undefined if there is none, or if the message is about the sender. */
function senderPathIn({ sender, document, keep }: SenderLocation): string | undefined {
  if (sender === undefined || document.role !== "entry") return undefined;
  return keep.some((keptPlace) => pointer.areRelated(keptPlace, sender)) ? undefined : sender;
}

/** Returns the message as sent by this agent. It is unchanged if the message is about the sender, or if the sender is not a string. */
export function withSender(agent: string, instance: Json, place: SenderLocation): Json {
  const senderPath = senderPathIn(place);
  return senderPath === undefined
    ? instance
    : replaceValueAt(instance, senderPath, (current) => (typeof current === "string" ? agent : current));
}

/** Returns the question as this agent would ask it; unchanged without an agent. */
export function questionFrom(agent: string | undefined, question: Question, sender: string | undefined): Question {
  const { data, document, keep } = question;
  if (agent === undefined) return question;
  if (data === undefined) return withSenderInText(agent, question, sender);
  return { ...question, data: withSender(agent, data, { sender, document, keep }) };
}

/** Replaces the sender in a message that is raw text or bytes, and keeps the rest as it is. */
function withSenderInText(agent: string, question: Question, sender: string | undefined): Question {
  const { text, bytes, document, keep } = question;
  const senderPath = senderPathIn({ sender, document, keep });
  if (senderPath === undefined) return question;
  // Latin-1 maps each byte to one character, so bytes that are not UTF-8 stay unchanged.
  const messageText = text ?? Buffer.from(bytes ?? []).toString("latin1");
  const spans = findStringsAt(messageText, pointer.segments(senderPath));
  if (spans.length === 0) return question;
  const name = JSON.stringify(agent);
  if (text !== undefined) return { ...question, text: replaceSpans(text, spans, name) };
  const latin = Buffer.from(name).toString("latin1");
  return { ...question, bytes: Buffer.from(replaceSpans(messageText, spans, latin), "latin1") };
}

/** Whether a message names this agent, and no other, as its sender. */
export function namesSender(agent: string, { data, text, bytes }: Partial<Question>, sender: string): boolean {
  if (data !== undefined) return pointer.has(sender, data) && pointer.at(sender, data) === agent;
  const writtenText = text ?? Buffer.from(bytes ?? []).toString("utf8");
  const senders = findStringsAt(writtenText, pointer.segments(sender)).map((span) => stringInSpan(writtenText, span));
  return senders.length > 0 && senders.every((sender) => sender === agent);
}
