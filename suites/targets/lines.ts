import type { Pool } from "undici";
import { type Observation, type Question, TargetFailure, unavailableOf } from "../../schemas/index.ts";
import { send } from "../base/http/send.ts";
import { answerFrom, parseLine } from "./command/answer.ts";
import { checkOf } from "./command/check.ts";

/** Sends concurrent questions to a server together, as lines of the command protocol. */
export interface QuestionBatcher {
  ask(question: Question, signal: AbortSignal): Promise<Observation>;
  close(): Promise<void>;
}

interface WaitingQuestion {
  question: Question;
  signal: AbortSignal;
  resolve: (answer: Observation) => void;
  reject: (failure: unknown) => void;
}

/** Opens a batcher that sends concurrent questions in one request. If the request fails, all of its questions fail. */
export async function openBatcher(origin: string, path: string): Promise<QuestionBatcher> {
  const { Pool } = await import("undici");
  const pool = new Pool(origin, { pipelining: 1 });
  let waitingQuestions: WaitingQuestion[] = [];
  const flush = (): void => {
    const batch = waitingQuestions;
    waitingQuestions = [];
    fetchAnswers(batch, pool, path).then(
      (answers) => {
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Observation);
      },
      (failure) => {
        for (const { reject } of batch) reject(failure);
      },
    );
  };
  return {
    ask: (question, signal) =>
      new Promise((resolve, reject) => {
        if (waitingQuestions.push({ question, signal, resolve, reject }) === 1) setImmediate(flush);
      }),
    close: () => pool.destroy(),
  };
}

/** Returns answers in the order of the questions. */
async function fetchAnswers(batch: readonly WaitingQuestion[], pool: Pool, path: string): Promise<Observation[]> {
  const lines = batch.map(({ question }, seq) => JSON.stringify({ command: "check", seq, ...checkOf(question) }));
  const headers = { "content-type": "application/x-ndjson" };
  // Concurrent questions share one time limit.
  const { signal } = batch[0] as WaitingQuestion;
  const { status, body } = await send(pool, { method: "POST", path, headers, body: lines.join("\n") }, signal);
  if (status !== 200) throw new TargetFailure("errored", "answer", `HTTP ${status}`);
  const answersBySeq = new Map(body.split("\n").map((line) => [parseLine(line)?.seq, line]));
  return batch.map((_, seq) => {
    const line = answersBySeq.get(seq);
    return line === undefined
      ? unavailableOf(new TargetFailure("errored", "answer", "the answer has no line about it"))
      : answerFrom(parseLine(line) ?? {}, line);
  });
}
