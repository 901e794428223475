import type { Checker } from "../../../../../schemas/index.ts";
import { groupChunks, lengthByUnit, textOf } from "./chunks.ts";
import type { Event } from "./event.ts";
import { onSessions } from "./recording.ts";

/** Checks of the ends of streamed outputs, and of the hints between their chunks. */
export const outputCheckers: readonly Checker[] = [
  onSessions("AAEP-STRM-004", function* (session, { excludes }) {
    for (const chunks of groupChunks(session)) {
      const [firstEnd, ...laterEnds] = chunks.filter(isLast);
      for (const { at } of laterEnds)
        yield { at: `${at}/complete`, why: `ends an output that ${firstEnd?.at} has already ended` };
      const lastChunk = chunks.at(-1) as Event;
      const isEndVisible =
        session.isClosed && lastChunk.era === session.events.at(-1)?.era && !excludes("agent.output.streaming");
      if (firstEnd !== undefined || !isEndVisible) continue;
      const isCompleted = session.events.some(({ name }) => name === "agent.session.completed");
      yield {
        at: lastChunk.at,
        why: "is the last chunk of its output, but does not complete it",
        ...(isCompleted ? {} : { level: "SHOULD" }),
      };
    }
  }),
  onSessions("AAEP-STRM-005", function* (session) {
    for (const chunks of groupChunks(session)) {
      const endIndex = chunks.findIndex(isLast);
      for (const chunk of endIndex === -1 ? [] : chunks.slice(endIndex + 1))
        if (!isLast(chunk)) yield { at: chunk.at, why: `continues an output that ${chunks[endIndex]?.at} has ended` };
    }
  }),
  onSessions("AAEP-STRM-007", function* (session) {
    for (const chunks of groupChunks(session)) {
      const length = chunks.reduce((sum, { message }) => sum + lengthByUnit.codePoints(textOf(message.chunk)), 0);
      const isHinted = chunks.some(({ message }) => message.coalesce_hint !== undefined);
      // More than five chunks of fewer than four characters on average.
      if (chunks.length > 5 && length < 4 * chunks.length && !isHinted)
        yield { at: chunks[0].at, why: `begins an output in ${chunks.length} small pieces without a coalesce_hint` };
    }
  }),
];

function isLast({ message }: Event): boolean {
  return message.complete === true;
}
