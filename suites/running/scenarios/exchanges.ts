import type {
  Json,
  JsonObject,
  Level,
  Protocol,
  RecordedSent,
  RecordingHead,
  Result,
  Scenario,
  Sent,
  Setting,
  Take,
} from "../../../schemas/index.ts";
import { createHider, secretsIn } from "../../base/secrets/index.ts";
import { truncate } from "../../base/text/escape.ts";
import { packOf } from "../../packs/pack/load.ts";
import type { PartyFindings } from "../../packs/validate/played-lines.ts";
import type { DocumentJudges } from "../../packs/validate/validate.ts";

/** The name of the results about exchanges between the parties, in any scenario. */
export const exchangesName = "exchanges";

/** The maximum number of characters kept per scenario, and shown per message. */
const [maxKept, maxShown] = [16 * 1024 * 1024, 4096];
/** The kept length of a message, as a multiple of the shown length: secrets are hidden before the text is cut, so that no part of one remains. */
const keptFactor = 4;
/** The maximum number of messages shown before the message that breaks a rule. */
const maxBefore = 8;

/** Judges exchanges between the parties of scenarios by every rule on messages and sequences, as `validate --trace` does. */
export interface Exchanges {
  /** Records the messages of one scenario while it is played, including secrets: a hidden value could break a rule. */
  take(): Take;
  /** Judges the recorded messages of a scenario, unless there are too many. */
  judge(scenario: Scenario): Promise<void>;
  /** Returns one result for each broken rule, with its first breach. */
  results(): Result[];
  /** Whether a breach has no known cause: none of the scenarios that broke the rule also broke a rule that could explain it. */
  isApart(rule: string | undefined, results: readonly Result[]): boolean;
}

/** A message, as a line of a recording and as it was sent. */
interface ExchangeLine {
  value: RecordedSent;
  sent: Sent;
}

/** The messages of one scenario, and their total number of characters. */
interface KeptLines {
  lines: ExchangeLine[];
  size: number;
}

interface ExchangeBreach {
  outcome: "violates" | "warns";
  why: string;
  trace: Sent[];
  scenarios: Set<string>;
}

/** The party to be judged, and the seed of the values in its exchanges. */
interface ExchangedPlay {
  protocol: Protocol;
  setting: Setting;
  seed: number;
}

export function exchangesOf({ protocol, setting, seed }: ExchangedPlay): Exchanges {
  return new JudgedExchanges({ protocol, setting, seed });
}

class JudgedExchanges implements Exchanges {
  private readonly play: ExchangedPlay;
  private readonly breaches = new Map<string, ExchangeBreach>();
  private keptLines: KeptLines = { lines: [], size: 0 };
  private provoked: readonly string[] = [];

  constructor(play: ExchangedPlay) {
    this.play = play;
  }

  take(): Take {
    // A scenario that was cut off may still send something while the next one is played.
    const keptLines: KeptLines = { lines: [], size: 0 };
    this.keptLines = keptLines;
    return { sent: (sent) => keepSent(keptLines, sent), end: () => {} };
  }

  async judge(scenario: Scenario): Promise<void> {
    // Walks and races have their own model or history, and their parallel events have no known order.
    if ((scenario.kind ?? "scenario") !== "scenario") return;
    const { lines, size } = this.keptLines;
    if (size > maxKept || lines.length === 0) return;
    const { protocol, setting, seed } = this.play;
    const { judgeScenarioRecording } = await import("../../packs/validate/played-lines.ts");
    this.provoked = await provokedRulesIn(protocol);
    const head: RecordingHead = {
      recording: 1,
      protocol: protocol.name,
      version: protocol.version,
      scenario: scenario.name,
      seed,
      ...(setting.side === undefined ? {} : { side: setting.side }),
    };
    const values = [head, ...lines.map(({ value }) => value)] as unknown as Json[];
    const numbered = values.map((value, number) => ({ value, number }));
    const { findings } = await judgeScenarioRecording(protocol, await judgesOf(protocol), numbered, {
      unreadLines: [],
      isLive: true,
    });
    for (const finding of findings) this.keepBreach(scenario, finding);
  }

  results(): Result[] {
    const { protocol, setting } = this.play;
    const hide = createHider(secretsIn(setting));
    return [...this.breaches].map(([rule, { outcome, why, trace, scenarios }]) => {
      const [first, ...otherScenarios] = scenarios;
      const othersText = otherScenarios.length === 0 ? "" : `, and in ${otherScenarios.length} more`;
      return {
        id: `${protocol.name}/${protocol.version}/scenarios/${exchangesName}/${rule}`,
        kind: "scenario",
        document: "scenarios",
        description: "the messages between the parties keep every rule",
        verdict: "valid",
        rule,
        level: protocol.rules.find(({ id }) => id === rule)?.level ?? "MUST",
        outcome,
        cause: { kind: "expectation" },
        why: hide.text(`in the scenario ${first}${othersText}: ${why}`),
        trace: trace.map((sent) => ({ ...sent, text: truncate(hide.text(sent.text), maxShown) })),
      } satisfies Result;
    });
  }

  isApart(rule = "", results: readonly Result[]): boolean {
    const { breaches } = this;
    const causes = this.play.protocol.rules.find(({ id }) => id === rule)?.follows ?? [];
    const scenariosOfRule = [...(breaches.get(rule)?.scenarios ?? [])];
    const isShared = (otherResult: Result): boolean =>
      isOfExchanges(otherResult)
        ? scenariosOfRule.some((name) => breaches.get(otherResult.rule ?? "")?.scenarios.has(name))
        : scenariosOfRule.some((name) => otherResult.id.includes(`/scenarios/${name}/`));
    return !results.some(
      (result) => result.outcome === "violates" && causes.includes(result.rule ?? "") && isShared(result),
    );
  }

  /** Keeps the first breach of the most serious level for a rule, with the scenarios that have one. */
  private keepBreach(scenario: Scenario, { rule, level, why, at, line }: PartyFindings["findings"][number]): void {
    if (rule === undefined || !isReported(rule, level, this.provoked)) return;
    const outcome = level === "MUST" ? "violates" : "warns";
    const knownBreach = this.breaches.get(rule);
    const isGraver = knownBreach?.outcome === "warns" && outcome === "violates";
    if (knownBreach !== undefined && !isGraver) {
      if (knownBreach.outcome === outcome) knownBreach.scenarios.add(scenario.name);
      return;
    }
    const reason = at === "" ? why : `${at}: ${why}`;
    const trace = this.keptLines.lines.slice(Math.max(0, line - maxBefore), line).map(({ sent }) => sent);
    const last = trace.pop();
    if (last !== undefined) trace.push({ ...last, decisive: true });
    this.breaches.set(rule, { outcome, why: reason, trace, scenarios: new Set([scenario.name]) });
  }
}

function keepSent(keptLines: KeptLines, { from, to, head, text, retold }: Parameters<Take["sent"]>[0]): void {
  keptLines.size += text.length;
  if (keptLines.size > maxKept || retold === true) return;
  const headPart = head === undefined ? {} : { head };
  const wholeText = [head, text].filter((each) => each !== undefined && each !== "").join("\n");
  const value = { ms: 0, from, to, ...headPart, ...contentOf(text) };
  keptLines.lines.push({ value, sent: { from, to, text: wholeText.slice(0, keptFactor * maxShown) } });
}

/** Whether a result is about exchanges between the parties, in any scenario. */
export function isOfExchanges({ id }: Pick<Result, "id">): boolean {
  return id.includes(`/scenarios/${exchangesName}/`);
}

/** Whether a breach is reported: always for a MUST; for advice, unless the scenarios themselves provoke it. */
function isReported(rule: string, level: Level, provoked: readonly string[]): boolean {
  return level === "MUST" || (level.startsWith("SHOULD") && !provoked.includes(rule));
}

async function provokedRulesIn(protocol: Protocol): Promise<readonly string[]> {
  const { session, answers } = await packOf(protocol);
  return [(await session?.())?.provoked, (await answers?.())?.provoked].flatMap((each) => each ?? []);
}

/** Validators are kept: compiling them is slower than judging a thousand messages. */
const judgesByProtocol = new WeakMap<Protocol, Promise<DocumentJudges>>();

/** Whether the exchanges of scenarios are judged by the rules: only if the pack's reader reads all of them, so that no correct party is reported as violating. */
export async function isHeldLive(protocol: Protocol): Promise<boolean> {
  const { session, answers } = await packOf(protocol);
  return (await session?.())?.isHeldLive === true || (await answers?.())?.isHeldLive === true;
}

function judgesOf(protocol: Protocol): Promise<DocumentJudges> {
  const judges =
    judgesByProtocol.get(protocol) ??
    import("../../packs/validate/validate.ts").then((each) => each.judgesFor(protocol));
  judgesByProtocol.set(protocol, judges);
  return judges;
}

function contentOf(text: string): { message?: Json; text?: string } {
  if (text === "") return {};
  try {
    return { message: JSON.parse(text) as JsonObject };
  } catch {
    return { text };
  }
}
