/** What a long command is at, on stderr. */
export interface StageDisplay {
  show(stage: string, done?: number, total?: number): void;
  stop(): void;
}

/** Milliseconds between two states of the bar. */
const pause = 100;

/** A bar on a terminal, gone when it stops; anywhere else a line for each stage, unless it is to be quiet: those of many documents are many. */
export async function stagesOn(stream: NodeJS.WriteStream, quiet = false): Promise<StageDisplay> {
  if (stream.isTTY) return bar(stream);
  return quiet ? { show() {}, stop() {} } : lines(stream);
}

function lines(stream: NodeJS.WriteStream): StageDisplay {
  let last: string | undefined;
  return {
    show(stage, _done, total = 1) {
      if (stage === last) return;
      last = stage;
      stream.write(`${stage}${total > 1 ? `: ${total}` : ""}\n`);
    },
    stop() {},
  };
}

async function bar(stream: NodeJS.WriteStream): Promise<StageDisplay> {
  const { default: cliProgress } = await import("cli-progress");
  const drawn = new cliProgress.SingleBar({
    stream,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
    format: "{stage} {bar} {value} of {total}",
  });
  let last: string | undefined;
  let next = 0;
  return {
    show(stage, done = 0, total = 1) {
      const now = performance.now();
      if (stage === last && now < next) return;
      next = now + pause;
      if (last === undefined) drawn.start(total, done, { stage });
      drawn.setTotal(total);
      drawn.update(done, { stage });
      // The work never yields to the bar's own timer.
      drawn.render();
      last = stage;
    },
    stop: () => drawn.stop(),
  };
}
