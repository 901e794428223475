import { setTimeout as sleep } from "node:timers/promises";
import { type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { launch } from "../../../../running/scenarios/launch.ts";
import { ask, fromAgent } from "../messages.ts";
import { cancel, read } from "../steps.ts";
import { performOperation, type SharedAsk } from "./act.ts";
import type { HistoryParty, HistoryStep, Round } from "./draw.ts";
import type { Input, Output } from "./model.ts";
import type { AskOperation } from "./words.ts";

/** An ask in a history, with its name there and the ids that it got. */
interface KeptAsk extends SharedAsk {
  of: string;
  ids: string[];
}

/** Performs operations on several asks of a hub, and records their start, end and result. */
export class HistoryRecorder {
  readonly operations: AskOperation[] = [];
  readonly asks: KeptAsk[];
  /** The first request that failed. */
  failure?: TargetFailure;
  readonly #context: ScenarioContext;

  /** Creates `count` asks. The available agents own them in turn. */
  constructor(context: ScenarioContext, count: number, members = {}) {
    this.#context = context;
    const { a, b = a } = context.agents;
    this.asks = Array.from({ length: count }, (_, index) => {
      const as = index % 2 === 1 && context.has("second-credential") ? "b" : "a";
      const message = fromAgent(as === "b" ? b : a, ask(context, members));
      return { of: `ask ${index}`, as, message, title: `${message.title}`, ids: [] };
    });
  }

  /** Performs and records an operation. If its request fails, it has no end, because its effect is unknown. */
  async record(process: string, of: number, input: Input): Promise<Output | undefined> {
    const ask = this.asks[of] as KeptAsk;
    const operation: AskOperation = { process, input, call: performance.now() };
    this.operations.push(operation);
    try {
      const output = await performOperation(this.#context, ask, input);
      if (output === undefined) return undefined;
      operation.end = { at: performance.now(), output };
      if (output.is === "accepted" && !ask.ids.includes(output.id)) ask.ids.push(output.id);
      return output;
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error;
      this.failure ??= error;
      return undefined;
    }
  }

  /** Submits every ask, in sequence. */
  async submitAll(): Promise<void> {
    for (const [of, { as }] of this.asks.entries()) await this.step(`agent ${as}`, { of, act: "submit" });
  }

  /** Performs a step of a script. If the ask has no id yet, it can only be submitted. */
  async step(process: string, { of, act }: Pick<HistoryStep, "of" | "act">): Promise<Output | undefined> {
    const { of: name, ids } = this.asks[of] as KeptAsk;
    if (act === "submit" || act === "other")
      return this.record(process, of, { of: name, do: "submit", variant: act === "submit" ? 0 : variantOf(process) });
    const id = ids[0];
    if (id === undefined) return undefined;
    if (act === "answer red" || act === "answer blue")
      return this.record(process, of, { of: name, do: "answer", id, value: act.slice("answer ".length) });
    return this.record(process, of, { of: name, do: act, id });
  }

  /** Runs the scripts of all parties simultaneously. An agent does not use another agent's ask. */
  async play(parties: readonly HistoryParty[], { plan, scripts }: Round): Promise<void> {
    const runScript = async ({ process }: HistoryParty, script: readonly HistoryStep[]): Promise<void> => {
      for (const step of script) {
        if (isForeign(process, this.asks[step.of] as KeptAsk)) continue;
        await sleep(step.pause);
        await this.step(process, step);
      }
    };
    const runs = parties.map((party, index) => () => runScript(party, scripts[index] ?? []));
    await launch(plan, runs);
  }

  /** Records an event that happens to all asks between these times. */
  recordEvent(event: "deadline" | "restart", process: string, call: number, at: number | undefined): void {
    for (const { of } of this.asks) {
      const end = at === undefined ? {} : { end: { at, output: { is: "done" } as const } };
      this.operations.push({ process, input: { of, do: event }, call, ...end });
    }
  }

  /** Reads each ask as its owner, by every id that it got. */
  async readAll(): Promise<void> {
    for (const [index, { of, as, ids }] of this.asks.entries())
      for (const id of ids) await this.record(`agent ${as}`, index, { of, do: "read", id });
  }

  /** Waits until the hub answers again, for at most 20 tries. */
  async waitUntilUp(): Promise<void> {
    const [knownAsk] = this.asks.filter(({ ids }) => ids.length > 0);
    for (let attempt = 0; knownAsk !== undefined && attempt < 20; attempt++) {
      try {
        await read(this.#context, knownAsk.ids[0] as string, knownAsk.as);
        return;
      } catch {
        await sleep(250);
      }
    }
  }

  /** Throws a TargetFailure if no ask was accepted, because then the history proves nothing. */
  throwIfNoneAccepted(): void {
    if (this.asks.some(({ ids }) => ids.length > 0)) return;
    throw this.failure ?? new TargetFailure("errored", "submit", "no needed message is accepted");
  }

  /** Cancels the asks, because hubs limit the number of open messages. */
  async tidy(): Promise<void> {
    for (const { as, ids } of this.asks) for (const id of ids) await cancel(this.#context, id, as).catch(() => {});
  }
}

function isForeign(process: string, { as }: KeptAsk): boolean {
  return process.startsWith("agent") && !process.startsWith(`agent ${as}`);
}

/** A number for the title of a party's submits, so that titles differ between parties. */
function variantOf(process: string): number {
  return [...process].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 997, 1);
}
