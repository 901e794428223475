import type { Event } from "./event.ts";
import type { TraceSession } from "./sessions.ts";

/** Groups the chunks of a session by output. Chunks without an `output_id` form one output. */
export function groupChunks({ events }: TraceSession): [Event, ...Event[]][] {
  const chunksByOutput = new Map<unknown, [Event, ...Event[]]>();
  for (const event of events) {
    if (event.name !== "agent.output.streaming") continue;
    const { output_id: id } = event.message;
    const key = typeof id === "string" ? id : undefined;
    const outputChunks = chunksByOutput.get(key);
    if (outputChunks === undefined) chunksByOutput.set(key, [event]);
    else outputChunks.push(event);
  }
  return [...chunksByOutput.values()];
}

/** Returns the text of a chunk, or an empty string if the chunk is not a string. */
export function textOf(chunk: unknown): string {
  return typeof chunk === "string" ? chunk : "";
}

/** Matches approximately what people see as one character. Only advice depends on it. */
const graphemeCluster =
  /\r\n|\p{RI}{2}|\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*)*|[\s\S][\p{M}\u200d]*/gu;

/** The length of a string in code points, UTF-16 code units, and approximate grapheme clusters. */
export const lengthByUnit = {
  codePoints: (text: string): number => [...text].length,
  units: (text: string): number => text.length,
  clusters: (text: string): number => text.match(graphemeCluster)?.length ?? 0,
};
export type Unit = keyof typeof lengthByUnit;
