import { type Evidence, type JsonObject, type Noted, recordedHook, type Sent, type Take } from "../../schemas/index.ts";
import { hider, secretsIn } from "../secrets/index.ts";

/** Messages that a finding keeps, the last ones before it, and characters of each. */
const [keptMessages, keptText] = [24, 4096];
/** Characters of a message that a recording keeps. */
const recordedText = 4 * 1024 * 1024;

/** What went between the parties of a scenario: the last of it for findings, and all of it for a recording. */
export interface Notes {
  /** What of it an expectation can be about, or that it is the target's; and as whom the suite sent it, which is only shown. */
  keep(sent: Noted, of?: Evidence | "theirs", as?: string): void;
  /** Of what was found to show something, that is marked: what is given and was kept, or else the last message of the target. */
  last(found?: { evidence: Evidence | undefined }): Sent[];
  /** Calls a hook, and keeps the call without the secrets that the hook tells. That it told the time is only in a recording. */
  call(name: string, parameters: JsonObject, hook: () => Promise<JsonObject>): Promise<JsonObject>;
}

export function notesOf(hide: { text(text: string): string }, take: Take | undefined): Notes {
  // Few are ever shown, and secrets are long looked for.
  const trace: Kept[] = [];
  const record = ({ from, to, head, text }: Noted): void => {
    if (take === undefined) return;
    const before = head === undefined ? {} : { head: hide.text(cut(head, keptText)) };
    take.sent({ from, to, ...before, text: hide.text(cut(text, recordedText)) });
  };
  const keep = (sent: Noted, of?: Kept["of"], as?: string, about = ""): void => {
    const { from, to, head, text } = sent;
    const line = as === undefined ? head : `${head} (as ${as})`;
    const whole = cut(line === undefined ? text : text === "" ? line : `${line}\n${text}`, keptText);
    trace.push({ of, says: `${whole}${about}`, shown: () => ({ from, to, text: hide.text(whole) }) });
    if (trace.length > 10 * keptMessages) trace.splice(0, trace.length - keptMessages);
    record(sent);
  };
  return {
    keep,
    async call(name, parameters, hook) {
      const note = isTold(name, parameters) ? keep : record;
      const given = discreetly(parameters);
      note({ from: "touchstone", to: recordedHook, head: name, text: given });
      const answered = (text: string): void =>
        note({ from: recordedHook, to: "touchstone", head: name, text }, undefined, undefined, given);
      try {
        const answer = await hook();
        answered(discreetly(ownOf(answer)));
        return answer;
      } catch (error) {
        answered(`[${error instanceof Error ? error.message : String(error)}]`);
        throw error;
      }
    },
    last(found) {
      const marked = found === undefined ? new Set<Kept>() : shownBy(found.evidence, trace);
      const end = trace.slice(-keptMessages);
      const earlier = [...marked].filter((each) => !end.includes(each));
      const all = [...earlier, ...end.slice(earlier.length)];
      return all.map((each) => (marked.has(each) ? { ...each.shown(), decisive: true as const } : each.shown()));
    },
  };
}

/** A message, and what can be found in it. */
interface Kept {
  of: Evidence | "theirs" | undefined;
  says: string;
  shown(): Sent;
}

/** In their order. */
function shownBy(evidence: Evidence | undefined, trace: readonly Kept[]): Set<Kept> {
  const texts = evidence !== undefined && "texts" in evidence ? evidence.texts : undefined;
  const found = texts?.map((text) => trace.findLast(({ says }) => says.includes(text)));
  const marked = trace.filter((each) => found?.includes(each));
  if (marked.length > 0) return new Set(marked);
  const given = texts === undefined ? evidence : undefined;
  const last = trace.findLast(({ of }) => of !== undefined && (given === undefined || of === given));
  return new Set(last === undefined ? [] : [last]);
}

/** Whether a call did or asked something: the time is asked for all along. */
export function isTold(hook: string, parameters: JsonObject): boolean {
  return hook !== "clock" || Object.keys(parameters).length > 0;
}

/** What a hook said itself: that something was done is only supposed of one that does not say it. */
function ownOf({ isSupposed, ...answer }: JsonObject): JsonObject {
  if (isSupposed !== true) return answer;
  const { applied: _, ...own } = answer;
  return own;
}

/** A session has a name for all who see what goes on in it, and events tell it: only in a configuration may it let somebody in. */
function discreetly(said: JsonObject): string {
  const { session_id: _, ...others } = said;
  return hider(secretsIn(others)).text(JSON.stringify(said));
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
