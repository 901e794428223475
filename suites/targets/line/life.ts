import type { Ear, Peer, Start } from "./peer.ts";

/** The peer of the moment, if there is one: each is started anew, and heard only as long as it lives. */
export class Life<Asked> {
  peer: Peer<Asked> | undefined;
  /** Settles when the peer that is being started is there, or is not. */
  starting: Promise<void> | undefined;
  readonly #start: Start<Asked>;
  readonly #ear: Ear;
  readonly #ending = new AbortController();

  constructor(start: Start<Asked>, ear: Ear) {
    this.#start = start;
    this.#ear = ear;
  }

  launch(): Promise<void> {
    this.starting = this.#begin().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  kill(): void {
    this.peer?.kill();
    this.peer = undefined;
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.starting?.catch(() => {});
    const last = this.peer;
    this.peer = undefined;
    await last?.stop();
  }

  async #begin(): Promise<void> {
    let live = true;
    const ear: Ear = {
      answered: (seq, said) => !live || this.#ear.answered(seq, said),
      lost: (stage, why) => {
        if (!live) return;
        live = false;
        this.#ear.lost(stage, why);
      },
    };
    try {
      const started = await this.#start(ear, this.#ending.signal);
      const kill = (): void => {
        live = false;
        started.kill();
      };
      if (this.#ending.signal.aborted) kill();
      else if (live) this.peer = { ...started, kill };
    } catch (error) {
      live = false;
      throw error;
    }
  }
}
