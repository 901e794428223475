import { type Credential, type Document, type Json, pointer, type Question } from "../../../schemas/index.ts";
import { replaceValueAt } from "./replacement.ts";
import { stringIn, stringsAt, withSpans } from "./spans.ts";

type PlainHeaders = Readonly<Record<string, string>>;

/** The header that carries a credential. */
export function headerOf({ token, apikey }: Pick<Credential, "token" | "apikey">): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return apikey === undefined ? {} : { "x-api-key": apikey };
}

/** The headers of a target with a credential, and its agent, unless the headers contain another credential. */
export function withCredential(own: PlainHeaders, credential: Credential): { headers: PlainHeaders; agent?: string } {
  const shown = headerOf(credential);
  const lowerCaseNames = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  // A credential without a key or token names the agent to which the headers belong.
  const isOther =
    Object.keys(shown).length > 0 &&
    ["authorization", "x-api-key"].some(
      (name) => lowerCaseNames[name] !== undefined && lowerCaseNames[name] !== shown[name],
    );
  return isOther ? { headers: own } : { headers: { ...shown, ...own }, agent: credential.agent };
}

const showing = /auth|cookie|token|secret|password|key|signature|session|credential/i;

/** The headers of a target without those named as secret. */
export function withoutCredentials(headers: PlainHeaders): PlainHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !showing.test(name)));
}

interface SenderPlace {
  /** JSON Pointer to the sender in the protocol's messages. */
  sender: string | undefined;
  document: Document;
  /** Paths to the subject of the message, which must not change. */
  keep: readonly string[];
}

/** The place where the sender may be replaced; undefined if there is none, or if the message is about the sender. */
function senderIn({ sender, document, keep }: SenderPlace): string | undefined {
  if (sender === undefined || document.role !== "entry") return undefined;
  return keep.some((keptPlace) => pointer.areRelated(keptPlace, sender)) ? undefined : sender;
}

/** The message as sent by this agent. Unchanged if the message is about the sender, or if the sender is not a text. */
export function withSender(agent: string, instance: Json, place: SenderPlace): Json {
  const sender = senderIn(place);
  return sender === undefined
    ? instance
    : replaceValueAt(instance, sender, (valueThere) => (typeof valueThere === "string" ? agent : valueThere));
}

/** The question as this agent would ask it; unchanged without an agent. */
export function questionFrom(agent: string | undefined, question: Question, sender: string | undefined): Question {
  const { data, document, keep } = question;
  if (agent === undefined) return question;
  if (data === undefined) return writtenBy(agent, question, sender);
  return { ...question, data: withSender(agent, data, { sender, document, keep }) };
}

/** If the question's message is a text, only the sender in it is changed. */
function writtenBy(agent: string, question: Question, sender: string | undefined): Question {
  const { text, bytes, document, keep } = question;
  const at = senderIn({ sender, document, keep });
  if (at === undefined) return question;
  // Bytes that are not UTF-8 are read as one character each.
  const writtenText = text ?? Buffer.from(bytes ?? []).toString("latin1");
  const spans = stringsAt(writtenText, pointer.segments(at));
  if (spans.length === 0) return question;
  const name = JSON.stringify(agent);
  if (text !== undefined) return { ...question, text: withSpans(text, spans, name) };
  const latin = Buffer.from(name).toString("latin1");
  return { ...question, bytes: Buffer.from(withSpans(writtenText, spans, latin), "latin1") };
}

/** Whether a message or a text names this agent, and no other, as its sender. */
export function namesSender(agent: string, { data, text, bytes }: Partial<Question>, sender: string): boolean {
  if (data !== undefined) return pointer.has(sender, data) && pointer.at(sender, data) === agent;
  const writtenText = text ?? Buffer.from(bytes ?? []).toString("utf8");
  const senders = stringsAt(writtenText, pointer.segments(sender)).map((span) => stringIn(writtenText, span));
  return senders.length > 0 && senders.every((each) => each === agent);
}
