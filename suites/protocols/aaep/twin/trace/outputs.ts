import type { Say } from "../../../../packs/twins/say.ts";
import { groupBy } from "../grouped.ts";
import type { TwinCourse } from "./course.ts";
import { endings, type Item } from "./items.ts";
import { isHidden } from "./terms.ts";

/** Judges streamed texts, one output after the other. */
export function outputs(say: Say, course: TwinCourse): void {
  const chunks = course.events.filter(({ name }) => name === "output.streaming");
  for (const each of groupBy(chunks, ({ message }) => message.output_id).values()) output(say, each, course);
}

function output(say: Say, chunks: readonly Item[], { events, terms, hasGap, isJoined }: TwinCourse): void {
  const isUnseen = isHidden(terms, "output.streaming");
  const [first, last] = [chunks[0] as Item, chunks.at(-1) as Item];
  if (!isUnseen && !isJoined && !hasGap(-1, last.index)) judgePositions(say, chunks);
  for (const [place, { message }] of chunks.entries())
    if (Number(message.position) < Number(chunks[place - 1]?.message.position)) say("goes back in its output");
  const [complete, ...more] = chunks.filter(({ message }) => message.complete === true);
  if (more.length > 0) say("completes an output twice");
  if (
    complete !== undefined &&
    chunks.some(({ index, message }) => index > complete.index && message.complete !== true)
  )
    say("goes on with an output that is complete");
  const end = events.find(({ name }) => endings.has(name));
  if (complete === undefined && end !== undefined && !isUnseen && !hasGap(first.index, end.index))
    say("never completes an output", ...(end.name === "session.completed" ? [] : ["outputs-left-open"]));
  const length = chunks.reduce((sum, { message }) => sum + [...String(message.chunk)].length, 0);
  const isHinted = chunks.some(({ message }) => message.coalesce_hint !== undefined);
  if (chunks.length > 5 && !isHinted && length / chunks.length < 4)
    say("streams tiny pieces without a hint", "hints-for-pieces");
}

const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const units: readonly ((text: string) => number)[] = [(text) => [...text].length, (text) => text.length];

function judgePositions(say: Say, chunks: readonly Item[]): void {
  const fits = (lengthOf: (text: string) => number): boolean => {
    let due = 0;
    return chunks.every(({ message: { position, chunk } }) => {
      const isDue = position === due;
      due += lengthOf(String(chunk));
      return isDue;
    });
  };
  if (units.some(fits)) return;
  const isByCluster = fits((text) => [...clusters.segment(text)].length);
  say("has a position that does not fit", ...(isByCluster ? ["clusters-as-units"] : []));
}
