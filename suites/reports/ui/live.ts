import { once } from "node:events";
import type { Report, Result, Rule } from "../../../schemas/index.ts";
import { livePage } from "../html/page.ts";
import type { Background } from "../index.ts";
import { gatherResults, type LiveResults } from "./live-results.ts";
import { serveUi } from "./server.ts";

export interface LivePageOptions {
  /** The rules of the protocols in the run. */
  rules: readonly Rule[];
  background: readonly Background[];
  /** Runs one vector again, when nothing else is running. */
  again: (id: string) => Promise<readonly Result[]>;
}

/** A page that shows a run during and after it. */
export interface LivePage extends Pick<LiveResults, "onStart" | "onProgress"> {
  url: string;
  /** Receives the final report. After that, single vectors can be run again. */
  ended(report: Report): void;
  /** Waits until the signal aborts, and closes the page. */
  until(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export async function startLive({ rules, background, again }: LivePageOptions): Promise<LivePage> {
  const liveResults = gatherResults({ started: new Date().toISOString(), command: "" });
  let renderedPage: { revision: number; page: string } | undefined;
  let isBusy = false;
  const ui = await serveUi({
    page() {
      const { revision, isRunning } = liveResults.state();
      // Renders once per revision, even for several readers.
      if (renderedPage?.revision !== revision)
        renderedPage = { revision, page: livePage(liveResults.report(), { rules, background }, isRunning) };
      return renderedPage.page;
    },
    state: () => liveResults.state(),
    async again(id) {
      const isKnown = liveResults.report().runs.some(({ results }) => results.some((result) => result.id === id));
      if (liveResults.state().isRunning || isBusy || !isKnown) return false;
      isBusy = true;
      try {
        return liveResults.renewed(await again(id));
      } finally {
        isBusy = false;
        ui.changed();
      }
    },
  });
  return {
    url: ui.url,
    onStart(plan) {
      liveResults.onStart(plan);
      ui.changed();
    },
    onProgress(progress) {
      liveResults.onProgress(progress);
      ui.changed();
    },
    ended(report) {
      liveResults.ended(report);
      ui.changed();
    },
    async until(signal) {
      if (!signal.aborted) await once(signal, "abort");
      await ui.close();
    },
    close: () => ui.close(),
  };
}
