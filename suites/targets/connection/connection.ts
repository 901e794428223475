import {
  type Cause,
  type Lost,
  type Observation,
  TargetFailure,
  TouchstoneError,
  unavailableOf,
} from "../../../schemas/index.ts";
import { BriefLives } from "./brief.ts";
import { Life } from "./life.ts";
import { QuestionQueue } from "./queue.ts";
import { ConnectionTurn } from "./turn.ts";
import type { Listener, Start } from "./worker.ts";

/** The number of successive losses without an answer between them after which the target counts as broken. */
const maxLosses = 25;

/** The number of successive time-outs after which an answered question is repeated, to check whether the target still answers. */
const maxSilentTimeouts = 3;

/** The number of successive time-outs after which a target that has never answered counts as broken. */
const maxFirstTimeouts = 5;

/** Sends questions to a worker that may crash or hang. Several are open at the same time. When the worker is lost, the open questions are sent again one at a time to a new worker, so that only the question that causes the loss fails. */
export class WorkerConnection<Asked> {
  readonly #name: string;
  readonly #queue = new QuestionQueue<Asked>();
  readonly #life: Life<Asked>;
  readonly #briefLives: BriefLives;
  #losses = 0;
  #unattributedLosses = 0;
  #lastLoss = "";
  #timeouts = 0;
  /** The question that was answered last. */
  #answeredQuestion: Asked | undefined;
  /** That question, sent again after the target has fallen silent. */
  #probe: ConnectionTurn<Asked> | undefined;
  #broken: TouchstoneError | undefined;
  #closing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `onBrief` is called once a worker is known to end after each answer. */
  constructor(name: string, start: Start<Asked>, onBrief?: () => void) {
    this.#name = name;
    this.#briefLives = new BriefLives(onBrief);
    const listener: Listener = {
      answered: (seq, observation) => this.#closing !== undefined || this.#handleAnswer(seq, observation),
      lost: (stage, why, code) => this.#handleLoss("errored", stage, why, code),
    };
    this.#life = new Life(start, listener);
  }

  /** The losses of the worker that do not belong to a question, and so do not appear in any result. Open questions were sent again. */
  get lost(): Lost | undefined {
    return this.#unattributedLosses === 0 ? undefined : { times: this.#unattributedLosses, last: this.#lastLoss };
  }

  open(): Promise<void> {
    return this.#life.launch();
  }

  ask(question: Asked, signal: AbortSignal): Promise<Observation> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#closing !== undefined)
      return Promise.resolve(unavailableOf(new TargetFailure("errored", "send", `${this.#name} is closed`)));
    if (signal.aborted)
      return Promise.resolve(unavailableOf(new TargetFailure("timed-out", "send", "its time was up beforehand")));
    const turn = new ConnectionTurn(question, signal, () => this.#watch());
    this.#queue.add(turn);
    this.#pump();
    return turn.answer;
  }

  close(): Promise<void> {
    this.#closing ??= Promise.resolve().then(() => this.#end());
    return this.#closing;
  }

  /** Sends the questions that are allowed now, to a new worker if there is none. */
  #pump(): void {
    if (this.#closing !== undefined || this.#life.starting !== undefined || !this.#queue.hasNext) return;
    if (this.#broken !== undefined) this.#rejectAll(this.#broken);
    else if (this.#life.worker === undefined) {
      this.#life
        .launch()
        .catch((cause) => {
          this.#broken = asTouchstoneError(cause);
        })
        .then(() => this.#pump());
    } else this.#send();
  }

  #send(): void {
    while (this.#life.worker !== undefined) {
      const [seq, turn] = this.#queue.next() ?? [];
      if (seq === undefined || turn === undefined) return;
      this.#startOldest();
      this.#life.worker.ask(seq, turn.question);
    }
  }

  /** Starts the time of the oldest question. */
  #startOldest(): void {
    const turn = this.#queue.oldest();
    if (turn === undefined) return;
    turn.startedAt ??= performance.now();
    if (turn.allowed !== undefined) this.#watch();
  }

  /** Waits for the oldest question up to its time limit. */
  #watch(): void {
    clearTimeout(this.#timer);
    const turn = this.#queue.oldest();
    const timeLeft = turn?.remainingMs();
    if (turn === undefined || timeLeft === undefined) return;
    if (timeLeft > 0) this.#timer = setTimeout(() => this.#watch(), timeLeft);
    else this.#handleLoss("timed-out", "answer", `no answer within ${Math.round(turn.allowed ?? 0)} ms`);
  }

  #handleAnswer(seq: number, observation: Observation): boolean {
    const turn = this.#queue.close(seq);
    if (turn === undefined) return false;
    if (turn !== this.#probe) this.#losses = 0;
    this.#timeouts = 0;
    this.#briefLives.countAnswer();
    this.#answeredQuestion = turn.question;
    turn.resolve(observation);
    this.#startOldest();
    this.#pump();
    return true;
  }

  /** Fails the question that caused the loss, if it is known, and continues with a new worker. */
  #handleLoss(outcome: "errored" | "timed-out", stage: string, why: string, code?: number): void {
    if (this.#closing !== undefined) return;
    const busySeq = this.#life.worker?.busy?.();
    const isOver = this.#briefLives.countEnd(code);
    const suspect = outcome === "errored" ? this.#queue.suspect(busySeq) : this.#queue.hanging(busySeq);
    const causing = isOver ? undefined : suspect;
    this.#life.kill();
    if (causing !== undefined || !this.#queue.hasOpen) this.#countLoss(why);
    if (causing === undefined && !isOver && this.#broken === undefined) {
      this.#unattributedLosses += 1;
      this.#lastLoss = why;
    }
    this.#queue.requeueOpen(causing);
    const because: Cause = { kind: outcome === "timed-out" ? "timed-out" : "lost" };
    causing?.resolve(unavailableOf(new TargetFailure(outcome, stage, why, { because })));
    if (outcome === "timed-out" && causing !== undefined) this.#noteTimeout(causing);
    this.#pump();
  }

  /** Gives up on a target that no longer answers, long before every question has timed out. */
  #noteTimeout(causing: ConnectionTurn<Asked>): void {
    this.#timeouts += 1;
    if (causing === this.#probe) this.#giveUp("no longer answers, not even a question that it had answered before");
    else if (this.#answeredQuestion === undefined && this.#timeouts >= maxFirstTimeouts)
      this.#giveUp(`has answered none of its first ${this.#timeouts} questions`);
    else if (this.#answeredQuestion !== undefined && this.#timeouts === maxSilentTimeouts) {
      this.#probe = new ConnectionTurn(
        this.#answeredQuestion,
        AbortSignal.timeout(Math.ceil(causing.allowed ?? 0)),
        () => this.#watch(),
      );
      this.#probe.answer.catch(() => {});
      this.#queue.addFirst(this.#probe);
    }
  }

  #giveUp(problem: string): void {
    this.#broken ??= new TouchstoneError("target", `${this.#name} ${problem}`, {
      hint: "raise --timeout if it is only slow",
    });
  }

  #countLoss(why: string): void {
    this.#losses += 1;
    if (this.#losses < maxLosses) return;
    const problem = `${this.#name} was lost ${this.#losses} times in a row without one answer`;
    this.#broken ??= new TouchstoneError("target", problem, { hint: `the last time: ${why}` });
  }

  #rejectAll(failure: Error): void {
    for (const turn of this.#queue.drain()) turn.reject(failure);
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const lifeEnd = this.#life.end();
    const closedFailure = new TargetFailure("errored", "answer", `${this.#name} was closed before it answered`);
    for (const turn of this.#queue.drain()) turn.resolve(unavailableOf(closedFailure));
    await lifeEnd;
  }
}

function asTouchstoneError(cause: unknown): TouchstoneError {
  if (cause instanceof TouchstoneError) return cause;
  return new TouchstoneError("internal", cause instanceof Error ? cause.message : String(cause), { cause });
}
