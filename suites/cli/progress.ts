import type { Progress } from "../run/suite.ts";

export interface ProgressBar {
  show(progress: Pick<Progress, "protocol" | "result" | "done" | "total">): void;
  stop(): void;
}

/** A bar on stderr, gone when it stops. */
export async function progressBar(): Promise<ProgressBar> {
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
    format: "{protocol} {bar} {value} of {total}, {violated} violated",
  });
  let begun = false;
  let violated = 0;
  return {
    show({ protocol, result, done, total }) {
      if (result.outcome === "violates") violated += 1;
      if (begun) bar.update(done, { protocol, violated });
      else bar.start(total, done, { protocol, violated });
      begun = true;
    },
    stop: () => bar.stop(),
  };
}
