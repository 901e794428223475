import { type Answer, TargetFailure, type TargetSkip, TouchstoneError } from "../../schemas/index.ts";

/** One life of a thread or process that answers questions. */
export interface Peer<Asked> {
  ask(seq: number, question: Asked): void;
  /** The question that it is working on, when it can tell. */
  busy?(): number | undefined;
  /** Lets it end by itself, and ends it when it does not. */
  stop(): Promise<void>;
  /** Ends it now, whatever it does. */
  kill(): void;
}

/** What a peer lets the line know. */
export interface Ear {
  /** False when no such question is open. */
  answered(seq: number, said: Answer | TargetFailure | TargetSkip): boolean;
  /** It died, or can no longer be understood. */
  lost(stage: string, why: string): void;
}

export interface Line<Asked> {
  open(): Promise<void>;
  ask(question: Asked, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** One question on its way. */
interface Turn<Asked> {
  question: Asked;
  resolve(answer: Answer): void;
  reject(failure: Error): void;
  /** Milliseconds that it may take, known once its signal has told. */
  allowed?: number;
  /** When it became the oldest one out: a question's time is not spent on those before it. */
  since?: number;
  /** It was out when a peer was lost, and is asked again with no other beside it. */
  alone: boolean;
}

/** Losses in a row, without one answer between them, after which the target counts as broken. */
const mostLosses = 25;

/**
 * A line of questions to a peer that may crash or hang. Several are out at once; when the peer is lost, those that were out are
 * asked again one at a time, of a new peer, so that only the one that does the harm pays for it.
 */
export function line<Asked>(name: string, start: (ear: Ear, signal: AbortSignal) => Promise<Peer<Asked>>): Line<Asked> {
  const waiting: Turn<Asked>[] = [];
  const suspects: Turn<Asked>[] = [];
  const out = new Map<number, Turn<Asked>>();
  const ending = new AbortController();
  let seq = 0;
  let peer: Peer<Asked> | undefined;
  let starting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let broken: TouchstoneError | undefined;
  let losses = 0;
  // A peer that never overtook is taken to do one thing at a time: it is the oldest question on which it hangs.
  let inOrder = true;
  let timer: NodeJS.Timeout | undefined;

  const oldest = (): Turn<Asked> | undefined => out.values().next().value;

  /** The question that does harm, when that is certain: the peer says so, or this one was put to it alone. */
  const culprit = (): Turn<Asked> | undefined => {
    const busy = peer?.busy?.();
    if (busy !== undefined) return out.get(busy);
    const turn = oldest();
    return turn?.alone === true ? turn : undefined;
  };

  const begin = async (): Promise<void> => {
    let live = true;
    const ear: Ear = {
      answered: (of, said) => !live || closing !== undefined || answered(of, said),
      lost(stage, why) {
        if (!live || closing !== undefined) return;
        live = false;
        lost("errored", stage, why, culprit());
      },
    };
    try {
      const started = await start(ear, ending.signal);
      const kill = (): void => {
        live = false;
        started.kill();
      };
      if (closing !== undefined) kill();
      else if (live) peer = { ...started, kill };
    } catch (error) {
      live = false;
      throw error;
    } finally {
      starting = undefined;
    }
  };

  const launch = (): Promise<void> => {
    starting = begin();
    return starting;
  };

  const pump = (): void => {
    if (closing !== undefined || starting !== undefined || (waiting.length === 0 && suspects.length === 0)) return;
    if (broken !== undefined) dismiss(broken);
    else if (peer === undefined) {
      launch().then(pump, (cause) => {
        broken = asTouchstoneError(cause);
        pump();
      });
    } else if (suspects.length > 0) {
      if (out.size === 0) send(suspects.shift() as Turn<Asked>);
    } else if (oldest()?.alone !== true) {
      for (const turn of waiting.splice(0)) send(turn);
    }
  };

  const send = (turn: Turn<Asked>): void => {
    out.set(++seq, turn);
    advance();
    peer?.ask(seq, turn.question);
  };

  /** Gives the oldest question its time. */
  const advance = (): void => {
    const turn = oldest();
    if (turn === undefined) return;
    turn.since ??= performance.now();
    if (turn.allowed !== undefined) watch();
  };

  const watch = (): void => {
    clearTimeout(timer);
    const turn = oldest();
    if (turn?.allowed === undefined || turn.since === undefined || closing !== undefined) return;
    const left = turn.since + turn.allowed - performance.now();
    if (left > 0) {
      timer = setTimeout(watch, left);
      return;
    }
    const guilty = culprit() ?? (inOrder || out.size === 1 ? turn : undefined);
    lost("timed-out", "answer", `no answer within ${Math.round(turn.allowed)} ms`, guilty);
  };

  const answered = (of: number, said: Answer | Error): boolean => {
    const turn = out.get(of);
    if (turn === undefined) return false;
    if (turn !== oldest()) inOrder = false;
    out.delete(of);
    losses = 0;
    if (said instanceof Error) turn.reject(said);
    else turn.resolve(said);
    advance();
    pump();
    return true;
  };

  /** Charges the guilty one, if it is known, and lines the others up to be asked again. */
  const lost = (
    outcome: "errored" | "timed-out",
    stage: string,
    why: string,
    guilty: Turn<Asked> | undefined,
  ): void => {
    peer?.kill();
    peer = undefined;
    if (guilty !== undefined || out.size === 0) losses += 1;
    if (losses >= mostLosses) {
      broken = new TouchstoneError("target", `${name} was lost ${losses} times in a row without one answer`, {
        hint: `the last time: ${why}`,
      });
    }
    const again = [...out.values()].filter((turn) => turn !== guilty);
    out.clear();
    for (const turn of again) {
      turn.alone = true;
      delete turn.since;
    }
    suspects.unshift(...again);
    guilty?.reject(new TargetFailure(outcome, stage, why));
    pump();
  };

  const dismiss = (failure: Error): void => {
    for (const turn of [...out.values(), ...suspects.splice(0), ...waiting.splice(0)]) turn.reject(failure);
    out.clear();
  };

  const ask = (question: Asked, signal: AbortSignal): Promise<Answer> => {
    if (broken !== undefined) return Promise.reject(broken);
    if (closing !== undefined) return Promise.reject(new TargetFailure("errored", "send", `${name} is closed`));
    if (signal.aborted) return Promise.reject(new TargetFailure("timed-out", "send", "its time was up beforehand"));
    const asked = performance.now();
    return new Promise((resolve, reject) => {
      const turn: Turn<Asked> = {
        question,
        alone: false,
        resolve(answer) {
          signal.removeEventListener("abort", late);
          resolve(answer);
        },
        reject(failure) {
          signal.removeEventListener("abort", late);
          reject(failure);
        },
      };
      const late = (): void => {
        turn.allowed = performance.now() - asked;
        // Withdrawn, as when a run is stopped: no reason to replace a peer that is about to be closed.
        if (signal.reason?.name === "AbortError") turn.reject(new TargetFailure("errored", "answer", "withdrawn"));
        else watch();
      };
      signal.addEventListener("abort", late);
      waiting.push(turn);
      pump();
    });
  };

  const end = async (): Promise<void> => {
    clearTimeout(timer);
    ending.abort();
    dismiss(new TargetFailure("errored", "answer", `${name} was closed before it answered`));
    await starting?.catch(() => {});
    const last = peer;
    peer = undefined;
    await last?.stop();
  };

  return {
    open: launch,
    ask,
    close() {
      closing ??= Promise.resolve().then(end);
      return closing;
    },
  };
}

function asTouchstoneError(cause: unknown): TouchstoneError {
  if (cause instanceof TouchstoneError) return cause;
  return new TouchstoneError("internal", cause instanceof Error ? cause.message : String(cause), { cause });
}
