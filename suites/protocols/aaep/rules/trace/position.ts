import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { groupChunks, lengthByUnit, textOf, type Unit } from "./chunks.ts";
import type { Event } from "./event.ts";
import { onSessions } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** Checks of the position of each chunk in its output. */
export const positionCheckers: readonly Checker[] = [
  onSessions("AAEP-STRM-002", function* (session, { excludes }) {
    if (!excludes("agent.output.streaming"))
      for (const chunks of groupChunks(session)) yield* findWrongPosition(chunks, session);
  }),
  onSessions("AAEP-STRM-003", function* (session) {
    for (const chunks of groupChunks(session)) {
      for (const [index, { at, era, message }] of chunks.entries()) {
        const previousChunk = chunks[index - 1];
        // If no chunk is missing, another rule requires exact positions.
        if (previousChunk === undefined || previousChunk.era === era) continue;
        const [previousPosition, position] = [previousChunk.message.position, message.position];
        if (typeof previousPosition === "number" && typeof position === "number" && position < previousPosition)
          yield { at: `${at}/position`, why: `is ${position}, after ${previousPosition}` };
      }
    }
  }),
];

/** Finds the first chunk with a position that is wrong in every unit that fits all positions before it. */
function* findWrongPosition(chunks: readonly Event[], session: TraceSession): Generator<Breach> {
  let possibleUnits: Unit[] = ["codePoints", "units", "clusters"];
  const expectedPositions: Record<Unit, number> = { codePoints: 0, units: 0, clusters: 0 };
  const [firstEvent] = session.events;
  let era = session.hasBeginning ? firstEvent.era : -1;
  let isWarned = false;
  for (const { at, message, era: chunkEra } of chunks) {
    const { position } = message;
    if (typeof position !== "number") return;
    if (chunkEra !== era) for (const unit of possibleUnits) expectedPositions[unit] = position;
    era = chunkEra;
    const remainingUnits = possibleUnits.filter((unit) => expectedPositions[unit] === position);
    const expectation = [...new Set(possibleUnits.map((unit) => expectedPositions[unit]))].join(" or ");
    const why = `is ${position}, expected ${expectation}`;
    if (remainingUnits.length === 0) {
      yield { at: `${at}/position`, why };
      return;
    }
    if (!isWarned && remainingUnits.every((unit) => unit === "clusters")) {
      isWarned = true;
      yield { at: `${at}/position`, why: `${why}: it counts what people see as one character`, level: "SHOULD" };
    }
    possibleUnits = remainingUnits;
    for (const unit of possibleUnits) expectedPositions[unit] = position + lengthByUnit[unit](textOf(message.chunk));
  }
}
