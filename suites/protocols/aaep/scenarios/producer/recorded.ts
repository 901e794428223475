import {
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
  type Violation,
} from "../../../../../schemas/index.ts";
import type { Line } from "../subscribing/line.ts";
import { open } from "../subscribing/open.ts";
import { toProducer } from "./scenario.ts";
import { answer, begin, confirmation, endOf, fence, indexOf, nameOf, questionOf } from "./story.ts";

/** Rules about sequences that sessions of every kind show. */
const ofSequences = [
  ...["AAEP-TOOL-004", "AAEP-TOOL-009", "AAEP-CONF-022", "AAEP-STATE-003", "AAEP-STRM-002", "AAEP-STRM-004"],
  ...["AAEP-ENV-012", "AAEP-ENV-026"],
];
/** Rules about single events that they show. */
const ofEvents = ["AAEP-ENV-015", "AAEP-ENV-033", "AAEP-SEC-001"];

/** Sessions as they went, held against the rules on what is recorded. */
export const recorded: readonly Scenario[] = [
  toProducer({
    name: "recorded-sessions",
    says: "a plain session, one that is accepted and one that is rejected follow the rules on sequences",
    rules: ofSequences,
    async play(stage) {
      const line = await open(stage);
      const replies: [index: number, reply: JsonObject][] = [];
      for (const decision of [undefined, "accept", "reject", undefined])
        await went(stage, line, decision, (reply) => replies.push([line.inbox.arrivals.length, reply]));
      await fence(line, stage);
      if (line.inbox.faults.length > 0)
        throw new TargetSkip("some frames hold no message, so that something is missing");
      const entries: Json[] = [];
      for (const [index, { message }] of line.inbox.arrivals.entries()) {
        for (const [at, reply] of replies) if (at === index) entries.push({ from: "subscriber", message: reply });
        entries.push({ from: "producer", message });
      }
      told(stage, ofSequences, await stage.violations("session", entries), (at) => {
        const entry = entries[Number(at.split("/")[1])] as { message?: JsonObject } | undefined;
        return entry?.message === undefined ? "a message" : `${nameOf(entry.message)} ${entry.message.event_id ?? ""}`;
      });
    },
  }),
  toProducer({
    name: "recorded-events",
    says: "each event is as it should be",
    rules: ofEvents,
    async play(stage) {
      const line = await open(stage);
      for (const decision of [undefined, "reject"]) await went(stage, line, decision, () => {});
      const found = new Map<string, Violation>();
      for (const { message } of line.inbox.arrivals) {
        const name = `agent.${nameOf(message)}`;
        if (message.event_id === undefined || message.type !== `aaep:${name}`) continue;
        for (const each of await stage.violations(name, message))
          if (each.rule !== undefined)
            found.set(each.rule, { ...each, why: `${name} ${message.event_id}: ${each.why}` });
      }
      told(stage, ofEvents, [...found.values()], (at) => at);
    },
  }),
];

/** Lets a session go to its end, with this decision where it asks. */
async function went(
  stage: ScenarioContext,
  line: Line,
  decision: string | undefined,
  note: (reply: JsonObject) => void,
): Promise<void> {
  const story = await begin(line, stage, decision === undefined ? "plain" : "irreversible");
  const question = decision === undefined ? undefined : await questionOf(story);
  if (question !== undefined) {
    const asked = { ...story, question, token: String(question.reply_token), at: indexOf(line.inbox, question) };
    const reply = await confirmation(asked, decision ?? "reject");
    note(reply);
    await answer(line, reply);
  }
  await endOf(story);
}

function told(
  stage: ScenarioContext,
  rules: readonly string[],
  found: readonly Violation[],
  where: (at: string) => string,
): void {
  for (const rule of rules) {
    const each = found.find((violation) => violation.rule === rule);
    if (each === undefined) stage.expect(rule, true, "");
    else stage.expect(rule, false, `${where(each.at)}: ${each.why}`, each.level);
  }
}
