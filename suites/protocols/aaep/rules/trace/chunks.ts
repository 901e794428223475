import type { Event } from "./event.ts";
import type { TraceSession } from "./sessions.ts";

/** The chunks of each output; chunks without an `output_id` form one output. */
export function outputs({ events }: TraceSession): [Event, ...Event[]][] {
  const all = new Map<unknown, [Event, ...Event[]]>();
  for (const event of events) {
    if (event.name !== "agent.output.streaming") continue;
    const { output_id: id } = event.message;
    const key = typeof id === "string" ? id : undefined;
    const known = all.get(key);
    if (known === undefined) all.set(key, [event]);
    else known.push(event);
  }
  return [...all.values()];
}

export function textOf(chunk: unknown): string {
  return typeof chunk === "string" ? chunk : "";
}

/** Approximates the characters that people see; only advice depends on it. */
const cluster =
  /\r\n|\p{RI}{2}|\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*)*|[\s\S][\p{M}\u200d]*/gu;

/** Ways to count characters. */
export const lengths = {
  codePoints: (text: string): number => [...text].length,
  units: (text: string): number => text.length,
  clusters: (text: string): number => text.match(cluster)?.length ?? 0,
};
export type Unit = keyof typeof lengths;
