import { type JsonObject, type Noted, recordedHook, type Sent, type Take } from "../../schemas/index.ts";
import { hider, secretsIn } from "../secrets/index.ts";

/** Messages that a finding keeps, the last ones before it, and characters of each. */
const [keptMessages, keptText] = [24, 4096];
/** Characters of a message that a recording keeps. */
const recordedText = 4 * 1024 * 1024;

/** What went between the parties of a scenario: the last of it for findings, and all of it for a recording. */
export interface Notes {
  keep(sent: Noted): void;
  /** What a recording has and findings show in another way. */
  record(sent: Noted): void;
  last(): Sent[];
  /** Calls a hook. Only a recording has that, and without the secrets that the hook tells. */
  call(name: string, parameters: JsonObject, hook: () => Promise<JsonObject>): Promise<JsonObject>;
}

export function notesOf(hide: { text(text: string): string }, take: Take | undefined): Notes {
  // Few are ever shown, and secrets are long looked for.
  const trace: (() => Sent)[] = [];
  const record = ({ from, to, head, text }: Noted): void => {
    if (take === undefined) return;
    const before = head === undefined ? {} : { head: hide.text(cut(head, keptText)) };
    take.sent({ from, to, ...before, text: hide.text(cut(text, recordedText)) });
  };
  return {
    record,
    keep(sent) {
      const { from, to, head, text } = sent;
      const whole = cut(head === undefined ? text : text === "" ? head : `${head}\n${text}`, keptText);
      trace.push(() => ({ from, to, text: hide.text(whole) }));
      if (trace.length > 10 * keptMessages) trace.splice(0, trace.length - keptMessages);
      record(sent);
    },
    async call(name, parameters, hook) {
      if (take === undefined) return hook();
      record({ from: "touchstone", to: recordedHook, head: name, text: JSON.stringify(parameters) });
      const answered = (text: string): void => record({ from: recordedHook, to: "touchstone", head: name, text });
      try {
        const answer = await hook();
        answered(hider(secretsIn(answer)).text(JSON.stringify(answer)));
        return answer;
      } catch (error) {
        answered(`[${error instanceof Error ? error.message : String(error)}]`);
        throw error;
      }
    },
    last: () => trace.slice(-keptMessages).map((shown) => shown()),
  };
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
