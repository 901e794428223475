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

/** The maximum number of messages in a finding, and the maximum number of characters in each. */
const [maxMessages, maxTextLength] = [24, 4096];
/** The maximum number of characters of a message that a recording keeps. */
const maxRecordedLength = 4 * 1024 * 1024;

/** The messages between the parties of a scenario: the last of them for findings, and all of them for a recording. */
export interface MessageNotes {
  keep(sent: Noted, known?: MessageFacts): KeptNote;
  /** Returns the last messages. The message that shows the finding is marked: the given evidence if still kept, or else the target's last message. */
  last(found?: { evidence: readonly Evidence[] }): Sent[];
  /** Calls a hook, and keeps the call without the secrets in the hook's answer. A mere read of the clock is kept only in a recording. */
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
  /** The subject of a hook's answer: searched for evidence, but not shown. */
  about?: string;
}

/** A message and its searchable parts. */
interface KeptNote extends Omit<MessageFacts, "as" | "about"> {
  says: string;
  shown(): Sent;
}

/** Secrets are searched for in this many times the kept length, so that no part of one remains at the cut. */
const searchFactor = 4;

/** Recorders of the messages: `hidden` keeps them with secrets hidden, `bare` passes them on unchanged to be judged. */
export interface Takes {
  hidden?: Take | undefined;
  bare?: Take | undefined;
}

export function notesOf(hide: { text(text: string): string }, { hidden, bare }: Takes): MessageNotes {
  // Secrets are hidden on demand, because that is slow and few notes are ever shown.
  const trace: KeptNote[] = [];
  const record = (message: Noted): void => {
    bare?.sent(message);
    if (hidden === undefined) return;
    const { from, to, head, text, retold } = message;
    const hideIn = (content: string, length: number): string =>
      truncate(hide.text(truncate(content, searchFactor * length)), length);
    hidden.sent({
      from,
      to,
      ...(head === undefined ? {} : { head: hideIn(head, maxTextLength) }),
      text: hideIn(text, maxRecordedLength),
      ...(retold === undefined ? {} : { retold }),
    });
  };
  const keep: MessageNotes["keep"] = (sent, { as, about = "", ...known } = {}) => {
    const { from, to, head, text } = sent;
    const heading = as === undefined ? head : `${head} (as ${as})`;
    const wholeText = truncate(withHeading(heading, text), maxTextLength);
    const showNote = (): Sent => ({ from, to, text: hide.text(wholeText) });
    const note: KeptNote = { ...known, says: `${wholeText}${about}`, shown: showNote };
    trace.push(note);
    if (trace.length > 10 * maxMessages) trace.splice(0, trace.length - maxMessages);
    record(sent);
    return note;
  };
  return {
    keep,
    async call(name, parameters, hook) {
      const shownParameters = hideInMessage(parameters);
      const call = { from: "touchstone", to: recordedHook, head: name, text: shownParameters };
      const callNote = isWorthShowing(name, parameters) ? keep(call) : undefined;
      if (callNote === undefined) record(call);
      const noteAnswer = (text: string, returned?: JsonObject): void => {
        const answer = { from: recordedHook, to: "touchstone", head: name, text };
        if (callNote === undefined) record(answer);
        else keep(answer, { answers: callNote, about: shownParameters, returned });
      };
      try {
        const answer = await hook();
        noteAnswer(hideInMessage(withoutAssumption(answer)), answer);
        return answer;
      } catch (error) {
        noteAnswer(`[${error instanceof Error ? error.message : String(error)}]`);
        throw error;
      }
    },
    last(found) {
      const decisiveNotes = found === undefined ? new Set<KeptNote>() : notesShowing(found.evidence, trace);
      const latest = trace.slice(-maxMessages);
      const earlier = [...decisiveNotes].filter((keptNote) => !latest.includes(keptNote));
      const shownNotes = [...earlier, ...latest.slice(earlier.length)];
      return shownNotes.map((keptNote) =>
        decisiveNotes.has(keptNote) ? { ...keptNote.shown(), decisive: true as const } : keptNote.shown(),
      );
    },
  };
}

/** Returns the notes that show a finding, in order. With several pieces of evidence, the message that each note answers is included. */
function notesShowing(evidence: readonly Evidence[], trace: readonly KeptNote[]): Set<KeptNote> {
  const notesFound = evidence.flatMap((item) => findNotes(item, trace)).filter((each) => each !== undefined);
  if (notesFound.length === 0 && evidence.every((each) => "texts" in each)) {
    const lastNote = trace.findLast(({ of }) => of !== undefined);
    return new Set(lastNote === undefined ? [] : [lastNote]);
  }
  const shownNotes = evidence.length > 1 ? notesFound.flatMap((keptNote) => [keptNote.answers, keptNote]) : notesFound;
  return new Set(trace.filter((keptNote) => shownNotes.includes(keptNote)));
}

function findNotes(evidence: Evidence, trace: readonly KeptNote[]): (KeptNote | undefined)[] {
  if ("texts" in evidence) return evidence.texts.map((text) => trace.findLast(({ says }) => says.includes(text)));
  if ("returned" in evidence) return [trace.findLast(({ returned }) => returned === evidence.returned)];
  return [trace.findLast(({ of }) => of === evidence)];
}

/** Whether a call is worth showing: mere reads of the clock are too frequent. */
export function isWorthShowing(hook: string, parameters: JsonObject): boolean {
  return hook !== "clock" || Object.keys(parameters).length > 0;
}

/** Returns the hook's own answer, without `applied` if that was only assumed. */
function withoutAssumption({ isSupposed, ...answer }: JsonObject): JsonObject {
  if (isSupposed !== true) return answer;
  const { applied: _, ...ownMembers } = answer;
  return ownMembers;
}

/** Hides secrets, but not `session_id`: all observers of a session know it. It can be a secret only in a configuration. */
function hideInMessage(message: JsonObject): string {
  const { session_id: _, ...otherMembers } = message;
  return createHider(secretsIn(otherMembers)).text(JSON.stringify(message));
}

function withHeading(heading: string | undefined, text: string): string {
  if (heading === undefined) return text;
  return text === "" ? heading : `${heading}\n${text}`;
}

function truncate(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
