import { describe, expect, it } from "vitest";
import type { Answer } from "../../../schemas/index.ts";
import { answerOf } from "../observations.fixture.ts";
import { WorkerConnection } from "./connection.ts";
import type { Listener, Start } from "./worker.ts";

const acceptedAnswer: Answer = { verdict: "accepted", reasons: [] };
const longTimeout = (): AbortSignal => AbortSignal.timeout(30_000);

/** Creates a worker in this thread. `hear` receives every question of every life, with the listener of that life. */
function fakeWorker(
  hear: (question: string, seq: number, listener: Listener, life: number) => void,
  onBrief?: () => void,
) {
  let lives = 0;
  const askedQuestions: string[] = [];
  const start: Start<string> = async (listener) => {
    const life = ++lives;
    return {
      ask(seq, question) {
        askedQuestions.push(question);
        queueMicrotask(() => hear(question, seq, listener, life));
      },
      stop: async () => {},
      kill() {},
    };
  };
  const connection = new WorkerConnection<string>("the fake", start, onBrief);
  const asks = {
    open: () => connection.open(),
    close: () => connection.close(),
    /** Throws an observation other than an answer. */
    ask: async (question: string, signal: AbortSignal) => answerOf(await connection.ask(question, signal)),
  };
  return { asks, asked: askedQuestions, lives: () => lives };
}

describe("a worker connection", () => {
  it("sends all questions concurrently as long as nothing fails", async () => {
    const heldAnswers: (() => void)[] = [];
    const { asks, asked } = fakeWorker((_question, seq, listener) => {
      heldAnswers.push(() => listener.answered(seq, acceptedAnswer));
      if (heldAnswers.length === 3) heldAnswers.reverse().forEach((answer) => void answer());
    });
    await asks.open();
    await Promise.all(["a", "b", "c"].map((question) => asks.ask(question, longTimeout())));
    expect(asked).toEqual(["a", "b", "c"]);
  });

  it("fails only the question that causes a crash, after repeating the open questions one at a time", async () => {
    const { asks, asked, lives } = fakeWorker((question, seq, listener) => {
      if (question === "bad") listener.lost("crash", "it fell over");
      else if (asked.includes("bad")) listener.answered(seq, acceptedAnswer);
    });
    await asks.open();
    const results = await Promise.allSettled(
      ["a", "bad", "b", "c"].map((question) => asks.ask(question, longTimeout())),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { stage: "crash", message: "it fell over", outcome: "errored" } });
    expect(asked.filter((question) => question === "bad")).toHaveLength(2);
    expect(lives()).toBe(3);
  });

  it("does not fail any question if none repeats the crash", async () => {
    const { asks } = fakeWorker((question, seq, listener, life) => {
      if (life === 1 && question === "b") listener.lost("crash", "once");
      else listener.answered(seq, acceptedAnswer);
    });
    await asks.open();
    expect(await Promise.all(["a", "b", "c"].map((question) => asks.ask(question, longTimeout())))).toHaveLength(3);
  });

  it("does not send other questions while one is tested alone", async () => {
    const heldAnswers: (() => void)[] = [];
    const { asks, asked } = fakeWorker((_question, seq, listener, life) => {
      if (life === 1) listener.lost("crash", "once");
      else heldAnswers.push(() => listener.answered(seq, acceptedAnswer));
    });
    await asks.open();
    const firstPromises = ["a", "b"].map((question) => asks.ask(question, longTimeout()));
    await new Promise(setImmediate);
    const latePromise = asks.ask("late", longTimeout());
    await new Promise(setImmediate);
    expect(asked).toEqual(["a", "b", "a"]);
    const answerNext = async (): Promise<void> => {
      heldAnswers.shift()?.();
      await new Promise(setImmediate);
    };
    await answerNext();
    expect(asked).toEqual(["a", "b", "a", "b"]);
    await answerNext();
    await answerNext();
    await Promise.all([...firstPromises, latePromise]);
  });

  it("finds the question that hangs in a worker that answers out of order", async () => {
    const { asks } = fakeWorker((question, seq, listener, life) => {
      if (life === 1 && question === "last") listener.answered(seq, acceptedAnswer);
      // In its first life, the worker is blocked completely. Later, only the hanging question is not answered.
      if (life > 1 && question !== "bad") listener.answered(seq, acceptedAnswer);
    });
    await asks.open();
    const abortSoon = (): AbortSignal => AbortSignal.timeout(100);
    const asked = ["innocent", "bad", "last"].map((question) => asks.ask(question, abortSoon()));
    const [innocentResult, badResult, lastResult] = await Promise.allSettled(asked);
    expect(innocentResult?.status).toBe("fulfilled");
    expect(lastResult?.status).toBe("fulfilled");
    expect(badResult).toMatchObject({ reason: { outcome: "timed-out", stage: "answer" } });
  });

  it("ignores an answer to a closed question", async () => {
    const answerResults: boolean[] = [];
    const { asks } = fakeWorker((_question, seq, listener) => {
      answerResults.push(
        listener.answered(seq, acceptedAnswer),
        listener.answered(seq, acceptedAnswer),
        listener.answered(seq + 1, acceptedAnswer),
      );
    });
    await asks.open();
    await asks.ask("a", longTimeout());
    expect(answerResults).toEqual([true, false, false]);
  });

  /** Creates a worker that answers this many questions, and then ends with the code that `code` returns for the last one. */
  function briefLives(answers: number, code: (last: string) => number) {
    let [life, heard] = [0, 0];
    const reported: number[] = [];
    const connection = fakeWorker(
      (question, seq, listener, lifeOfQuestion) => {
        if (lifeOfQuestion !== life) [life, heard] = [lifeOfQuestion, 0];
        if (question === "bad") return listener.lost("crash", "it ended", 0);
        if (heard >= answers) return;
        heard += 1;
        listener.answered(seq, acceptedAnswer);
        if (heard === answers) queueMicrotask(() => listener.lost("crash", "it ended", code(question)));
      },
      () => void reported.push(connection.lives()),
    );
    return { ...connection, told: reported };
  }
  const manyQuestions = Array.from({ length: 40 }, (_, index) => `${index}`);

  it("does not fail any question if a worker ends by itself after each answer, and reports that once, after the third", async () => {
    const { asks, lives, told: reported } = briefLives(1, () => 0);
    await asks.open();
    const results = await Promise.allSettled(manyQuestions.map((question) => asks.ask(question, longTimeout())));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(lives()).toBeGreaterThanOrEqual(manyQuestions.length);
    expect(reported).toEqual([3]);
  });

  it("does not fail any question if the exit code of a worker that ends after each answer depends on that answer", async () => {
    const { asks } = briefLives(1, (last) => (Number(last) < 4 ? 0 : Number(last) % 2));
    await asks.open();
    const results = await Promise.allSettled(manyQuestions.map((question) => asks.ask(question, longTimeout())));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  it("fails the question at which a worker ends without an answer, and does not report a worker that ends after several answers", async () => {
    const { asks, told: reported } = briefLives(7, () => 0);
    await asks.open();
    const questions = [...manyQuestions.slice(0, 20), "bad", ...manyQuestions.slice(20)];
    const results = await Promise.allSettled(questions.map((question) => asks.ask(question, longTimeout())));
    expect(results.flatMap(({ status }, index) => (status === "rejected" ? questions[index] : []))).toEqual(["bad"]);
    expect(reported).toEqual([]);
  });

  it("gives up on a worker after 25 successive losses, and not before", async () => {
    const { asks, lives } = fakeWorker((question, seq, listener) => {
      if (question === "good") listener.answered(seq, acceptedAnswer);
      else listener.lost("crash", "again");
    });
    await asks.open();
    for (let round = 0; round < 24; round++)
      await expect(asks.ask("bad", longTimeout())).rejects.toMatchObject({ kind: "unavailable" });
    await asks.ask("good", longTimeout());
    for (let round = 0; round < 25; round++)
      await expect(asks.ask("bad", longTimeout())).rejects.toMatchObject({ kind: "unavailable" });
    await expect(asks.ask("good", longTimeout())).rejects.toMatchObject({ name: "TouchstoneError", kind: "target" });
    await expect(asks.ask("good", longTimeout())).rejects.toThrow("lost 25 times in a row");
    // Each crash happens twice: the second time with the question alone.
    expect(lives()).toBe(98);
  });

  it("gives up on a worker after three time-outs if it does not answer even a question that it had answered before", async () => {
    let isSilent = false;
    const { asks, asked } = fakeWorker(
      (_question, seq, listener) => isSilent || listener.answered(seq, acceptedAnswer),
    );
    await asks.open();
    await asks.ask("known", longTimeout());
    isSilent = true;
    for (const question of ["a", "b", "c"])
      await expect(asks.ask(question, AbortSignal.timeout(30))).rejects.toMatchObject({ outcome: "timed-out" });
    await expect(asks.ask("d", longTimeout())).rejects.toThrow("not even a question that it had answered before");
    expect(asked).toEqual(["known", "a", "b", "c", "known"]);
  });

  it("keeps a worker that still answers the question that it had answered before", async () => {
    const { asks, asked } = fakeWorker(
      (question, seq, listener) => question !== "bad" && listener.answered(seq, acceptedAnswer),
    );
    await asks.open();
    await asks.ask("known", longTimeout());
    for (let round = 0; round < 4; round++)
      await expect(asks.ask("bad", AbortSignal.timeout(30))).rejects.toMatchObject({ outcome: "timed-out" });
    await asks.ask("good", longTimeout());
    expect(asked).toEqual(["known", "bad", "bad", "bad", "known", "bad", "good"]);
  });

  it("gives up after five time-outs on a worker that has never answered", async () => {
    const { asks } = fakeWorker(() => {});
    await asks.open();
    for (let round = 0; round < 5; round++)
      await expect(asks.ask("a", AbortSignal.timeout(20))).rejects.toMatchObject({ outcome: "timed-out" });
    await expect(asks.ask("a", longTimeout())).rejects.toThrow("has answered none of its first 5 questions");
  });

  it("drops a withdrawn question without starting a new worker", async () => {
    const { asks, lives } = fakeWorker(
      (question, seq, listener) => question !== "slow" && listener.answered(seq, acceptedAnswer),
    );
    await asks.open();
    const stop = new AbortController();
    const slowPromise = asks.ask("slow", stop.signal);
    await asks.ask("quick", longTimeout());
    stop.abort();
    await expect(slowPromise).rejects.toMatchObject({ outcome: "errored", message: "withdrawn" });
    expect(lives()).toBe(1);
  });

  it("does not send a question after its deadline", async () => {
    const { asks, asked } = fakeWorker(() => {});
    await asks.open();
    await expect(asks.ask("a", AbortSignal.abort())).rejects.toMatchObject({ outcome: "timed-out" });
    expect(asked).toEqual([]);
  });
});
