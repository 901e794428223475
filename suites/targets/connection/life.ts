import type { Listener, Start, Worker } from "./worker.ts";

/** Starts and ends workers, and knows the current one. The messages of a worker are ignored after its end. */
export class Life<Asked> {
  worker: Worker<Asked> | undefined;
  /** Settles when the worker that is being started is ready or has failed to start. */
  starting: Promise<void> | undefined;
  readonly #start: Start<Asked>;
  readonly #listener: Listener;
  readonly #ending = new AbortController();

  constructor(start: Start<Asked>, listener: Listener) {
    this.#start = start;
    this.#listener = listener;
  }

  launch(): Promise<void> {
    this.starting = this.#begin().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  kill(): void {
    this.worker?.kill();
    this.worker = undefined;
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.starting?.catch(() => {});
    const lastWorker = this.worker;
    this.worker = undefined;
    await lastWorker?.stop();
  }

  async #begin(): Promise<void> {
    let isLive = true;
    const listener: Listener = {
      answered: (seq, observation) => !isLive || this.#listener.answered(seq, observation),
      lost: (stage, why, code) => {
        if (!isLive) return;
        isLive = false;
        this.#listener.lost(stage, why, code);
      },
    };
    try {
      const startedWorker = await this.#start(listener, this.#ending.signal);
      const kill = (): void => {
        isLive = false;
        startedWorker.kill();
      };
      if (this.#ending.signal.aborted) kill();
      else if (isLive)
        this.worker = {
          ask: (seq, question) => startedWorker.ask(seq, question),
          busy: () => startedWorker.busy?.(),
          stop: () => startedWorker.stop(),
          kill,
        };
    } catch (error) {
      isLive = false;
      throw error;
    }
  }
}
