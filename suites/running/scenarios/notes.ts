import {
  type Arrival,
  type Evidence,
  type HttpReply,
  type JsonObject,
  type Noted,
  recordedHook,
  type Sent,
  type Take,
} from "../../../schemas/index.ts";
import { createHider, secretsIn } from "../../base/secrets/index.ts";

/** The number of messages that a finding keeps, and the characters of each. */
const [keptMessages, keptText] = [24, 4096];
/** The maximum characters of a message that a recording keeps. */
const recordedText = 4 * 1024 * 1024;

/** The messages between the parties of a scenario: the last of them for findings, and all of them for a recording. */
export interface MessageNotes {
  keep(sent: Noted, known?: MessageFacts): KeptNote;
  /** The last messages, with a mark on the message that shows a finding: a given message if it is still kept, or else the last message of the target. */
  last(found?: { evidence: readonly Evidence[] }): Sent[];
  /** Calls a hook, and keeps the call without the secrets in the hook's answer. A mere question for the time is kept only in a recording. */
  call(name: string, parameters: JsonObject, hook: () => Promise<JsonObject>): Promise<JsonObject>;
}

/** Facts about a message other than its content. */
interface MessageFacts {
  /** The answer or request that an expectation may name, or a mark that the message is the target's. */
  of?: HttpReply | Arrival | "theirs";
  /** The agent as which the suite sent it; only shown. */
  as?: string | undefined;
  answers?: KeptNote;
  /** The answer of a hook. */
  returned?: JsonObject | undefined;
  /** Its subject, which is only searched. */
  about?: string;
}

/** A message and its searchable parts. */
interface KeptNote extends Omit<MessageFacts, "as" | "about"> {
  says: string;
  shown(): Sent;
}

/** How many times the kept length of a text is searched for secrets: a cut must not leave a part of one. */
const room = 4;

/** Records the messages between the parties: with secrets hidden, to be kept, and unchanged, to be judged. */
export interface Takes {
  hidden?: Take | undefined;
  bare?: Take | undefined;
}

export function notesOf(hide: { text(text: string): string }, { hidden, bare }: Takes): MessageNotes {
  // Redacted on demand: few are ever shown, and hiding secrets is slow.
  const trace: KeptNote[] = [];
  const record = (message: Noted): void => {
    bare?.sent(message);
    if (hidden === undefined) return;
    const { from, to, head, text, retold } = message;
    const hideIn = (content: string, length: number): string => cut(hide.text(cut(content, room * length)), length);
    hidden.sent({
      from,
      to,
      ...(head === undefined ? {} : { head: hideIn(head, keptText) }),
      text: hideIn(text, recordedText),
      ...(retold === undefined ? {} : { retold }),
    });
  };
  const keep: MessageNotes["keep"] = (sent, { as, about = "", ...known } = {}) => {
    const { from, to, head, text } = sent;
    const line = as === undefined ? head : `${head} (as ${as})`;
    const wholeText = cut(line === undefined ? text : text === "" ? line : `${line}\n${text}`, keptText);
    const showNote = (): Sent => ({ from, to, text: hide.text(wholeText) });
    const note: KeptNote = { ...known, says: `${wholeText}${about}`, shown: showNote };
    trace.push(note);
    if (trace.length > 10 * keptMessages) trace.splice(0, trace.length - keptMessages);
    record(sent);
    return note;
  };
  return {
    keep,
    async call(name, parameters, hook) {
      const shownParameters = hideInMessage(parameters);
      const call = { from: "touchstone", to: recordedHook, head: name, text: shownParameters };
      const callNote = isTold(name, parameters) ? keep(call) : undefined;
      if (callNote === undefined) record(call);
      const noteAnswer = (text: string, returned?: JsonObject): void => {
        const answer = { from: recordedHook, to: "touchstone", head: name, text };
        if (callNote === undefined) record(answer);
        else keep(answer, { answers: callNote, about: shownParameters, returned });
      };
      try {
        const answer = await hook();
        noteAnswer(hideInMessage(ownOf(answer)), answer);
        return answer;
      } catch (error) {
        noteAnswer(`[${error instanceof Error ? error.message : String(error)}]`);
        throw error;
      }
    },
    last(found) {
      const decisiveNotes = found === undefined ? new Set<KeptNote>() : shownBy(found.evidence, trace);
      const end = trace.slice(-keptMessages);
      const earlier = [...decisiveNotes].filter((keptNote) => !end.includes(keptNote));
      const all = [...earlier, ...end.slice(earlier.length)];
      return all.map((keptNote) =>
        decisiveNotes.has(keptNote) ? { ...keptNote.shown(), decisive: true as const } : keptNote.shown(),
      );
    },
  };
}

/** In order; if several messages show a finding together, each is followed by the message that it answers. */
function shownBy(evidence: readonly Evidence[], trace: readonly KeptNote[]): Set<KeptNote> {
  const notesFound = evidence.flatMap((each) => foundBy(each, trace)).filter((each) => each !== undefined);
  if (notesFound.length === 0 && evidence.every((each) => "texts" in each)) {
    const last = trace.findLast(({ of }) => of !== undefined);
    return new Set(last === undefined ? [] : [last]);
  }
  const shownNotes = evidence.length > 1 ? notesFound.flatMap((keptNote) => [keptNote.answers, keptNote]) : notesFound;
  return new Set(trace.filter((keptNote) => shownNotes.includes(keptNote)));
}

function foundBy(evidence: Evidence, trace: readonly KeptNote[]): (KeptNote | undefined)[] {
  if ("texts" in evidence) return evidence.texts.map((text) => trace.findLast(({ says }) => says.includes(text)));
  if ("returned" in evidence) return [trace.findLast(({ returned }) => returned === evidence.returned)];
  return [trace.findLast(({ of }) => of === evidence)];
}

/** Whether a call is worth a note: the clock is read too often. */
export function isTold(hook: string, parameters: JsonObject): boolean {
  return hook !== "clock" || Object.keys(parameters).length > 0;
}

/** A hook's own answer: if it does not say that something was done, that is only assumed. */
function ownOf({ isSupposed, ...answer }: JsonObject): JsonObject {
  if (isSupposed !== true) return answer;
  const { applied: _, ...ownMembers } = answer;
  return ownMembers;
}

/** All observers of a session know its name, and events contain it: it may grant access only in a configuration. */
function hideInMessage(message: JsonObject): string {
  const { session_id: _, ...otherMembers } = message;
  return createHider(secretsIn(otherMembers)).text(JSON.stringify(message));
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
