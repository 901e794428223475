import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { lengths, outputs, textOf, type Unit } from "./chunks.ts";
import type { Event } from "./event.ts";
import { onSessions } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** The position of each chunk in its output. */
export const positionCheckers: readonly Checker[] = [
  onSessions("AAEP-STRM-002", function* (session, { keepsOut }) {
    if (!keepsOut("agent.output.streaming"))
      for (const chunks of outputs(session)) yield* findMisplaced(chunks, session);
  }),
  onSessions("AAEP-STRM-003", function* (session) {
    for (const chunks of outputs(session)) {
      for (const [index, { at, era, message }] of chunks.entries()) {
        const before = chunks[index - 1];
        // If no chunk is missing, another rule requires exact positions.
        if (before === undefined || before.era === era) continue;
        const [last, now] = [before.message.position, message.position];
        if (typeof last === "number" && typeof now === "number" && now < last)
          yield { at: `${at}/position`, why: `is ${now}, after ${last}` };
      }
    }
  }),
];

/** The whole output must use one unit of positions. Only the first wrong chunk is reported. */
function* findMisplaced(chunks: readonly Event[], session: TraceSession): Generator<Breach> {
  let fitting: Unit[] = ["codePoints", "units", "clusters"];
  const due: Record<Unit, number> = { codePoints: 0, units: 0, clusters: 0 };
  const [first] = session.events;
  let era = session.begun ? first.era : -1;
  let isWarned = false;
  for (const { at, message, era: own } of chunks) {
    const { position } = message;
    if (typeof position !== "number") return;
    if (own !== era) for (const unit of fitting) due[unit] = position;
    era = own;
    const left = fitting.filter((unit) => due[unit] === position);
    const wanted = [...new Set(fitting.map((unit) => due[unit]))].join(" or ");
    const why = `is ${position}, where ${wanted} is due`;
    if (left.length === 0) {
      yield { at: `${at}/position`, why };
      return;
    }
    if (!isWarned && left.every((unit) => unit === "clusters")) {
      isWarned = true;
      yield { at: `${at}/position`, why: `${why}: it counts what people see as one character`, level: "SHOULD" };
    }
    fitting = left;
    for (const unit of fitting) due[unit] = position + lengths[unit](textOf(message.chunk));
  }
}
