import type { ReportFault } from "../../../../packs/twins/say.ts";
import { groupBy } from "../group-by.ts";
import type { TwinCourse } from "./course.ts";
import { endings, type Item } from "./items.ts";
import { isHidden } from "./terms.ts";

/** Judges each streamed output of a session. */
export function judgeOutputs(report: ReportFault, course: TwinCourse): void {
  const chunks = course.events.filter(({ name }) => name === "output.streaming");
  for (const outputChunks of groupBy(chunks, ({ message }) => message.output_id).values())
    judgeOutput(report, outputChunks, course);
}

function judgeOutput(
  report: ReportFault,
  chunks: readonly Item[],
  { events, terms, hasGap, isJoined }: TwinCourse,
): void {
  const isUnseen = isHidden(terms, "output.streaming");
  const [firstChunk, lastChunk] = [chunks[0] as Item, chunks.at(-1) as Item];
  if (!isUnseen && !isJoined && !hasGap(-1, lastChunk.index)) judgePositions(report, chunks);
  for (const [chunkIndex, { message }] of chunks.entries())
    if (Number(message.position) < Number(chunks[chunkIndex - 1]?.message.position))
      report("has a lower position than the chunk before");
  const [completingChunk, ...laterCompletions] = chunks.filter(({ message }) => message.complete === true);
  if (laterCompletions.length > 0) report("completes an output twice");
  if (
    completingChunk !== undefined &&
    chunks.some(({ index, message }) => index > completingChunk.index && message.complete !== true)
  )
    report("continues a complete output");
  const end = events.find(({ name }) => endings.has(name));
  if (completingChunk === undefined && end !== undefined && !isUnseen && !hasGap(firstChunk.index, end.index))
    report("never completes an output", ...(end.name === "session.completed" ? [] : ["outputs-left-open"]));
  const length = chunks.reduce((sum, { message }) => sum + [...String(message.chunk)].length, 0);
  const isHinted = chunks.some(({ message }) => message.coalesce_hint !== undefined);
  if (chunks.length > 5 && !isHinted && length / chunks.length < 4)
    report("streams tiny chunks without a hint", "hints-for-pieces");
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const lengthFunctions: readonly ((text: string) => number)[] = [(text) => [...text].length, (text) => text.length];

function judgePositions(report: ReportFault, chunks: readonly Item[]): void {
  const fitsUnit = (lengthOf: (text: string) => number): boolean => {
    let expectedPosition = 0;
    return chunks.every(({ message: { position, chunk } }) => {
      const isExpected = position === expectedPosition;
      expectedPosition += lengthOf(String(chunk));
      return isExpected;
    });
  };
  if (lengthFunctions.some(fitsUnit)) return;
  const isByCluster = fitsUnit((text) => [...graphemes.segment(text)].length);
  report("has a wrong position", ...(isByCluster ? ["clusters-as-units"] : []));
}
