import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { load } from "./import.ts";
import { type Context, type Judge, judgeFor, type Said } from "./judges.ts";
import type { Asked, FromThread, ThreadData } from "./thread.ts";

/**
 * The thread in which a user's module runs. Questions come in batches and so do the answers: a message between threads costs as
 * much as many validations. `busy` tells the other side which question is being worked on, should there be no end to it.
 */
const { file, protocol, version, schemas, busy } = workerData as ThreadData;
const post = (message: FromThread): void => parentPort?.postMessage(message);

/** Answers are held back until there are so many, or for so many milliseconds: the other side works meanwhile. */
const most = 64;
const longest = 5;

const { judges, about } = await load(pathToFileURL(file));
let said: [number, Said][] = [];
let flushed = performance.now();

const flush = (): void => {
  flushed = performance.now();
  if (said.length === 0) return;
  post({ said });
  said = [];
};

const answer = ([seq, document, schema, instance, yaml]: Asked): void => {
  const context: Context = { document, schema, protocol, version, schemas, ...(yaml === undefined ? {} : { yaml }) };
  const judged = (judgeFor(judges, { name: document, schema }) as Judge)(instance, context);
  if (!(judged instanceof Promise)) {
    said.push([seq, judged]);
    return;
  }
  void judged.then((late) => {
    said.push([seq, late]);
    setImmediate(flush);
  });
};

parentPort?.on("message", (batch: Asked[]) => {
  for (const asked of batch) {
    Atomics.store(busy, 0, asked[0]);
    answer(asked);
    if (said.length >= most || performance.now() - flushed > longest) flush();
  }
  Atomics.store(busy, 0, 0);
  flush();
});
post({ ready: about });
