import {
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { differenceIn } from "../../../base/text/difference.ts";
import { oddTexts } from "./hollow-messages.ts";
import { describeChange, findFirstMissing } from "./lost-messages.ts";
import { ask, notify, task } from "./messages.ts";
import { fitMessage } from "./published.ts";
import { cancel, idOf, isAccepted, outcomeOf, post, readStored } from "./steps.ts";

/** Longer than the usual limits of database columns, 64 and 255 characters. */
const longText = "touchstone ".repeat(30);

/** A message of each type with the same text in every member, and with numbers and booleans that could become strings. */
function messagesWith(context: ScenarioContext, text: string): JsonObject[] {
  const agent = { ...(notify(context).agent as JsonObject), run_id: text, project: text, labels: { [text]: text } };
  const values = { text, list: [text, 3], zero: 0, count: 3, half: 0.5, time: 1764150000000, no: false, yes: true };
  const part = { kind: "data", data: values, metadata: values };
  const members = {
    agent,
    title: text,
    body: text,
    client_ref: text,
    tags: [text, text],
    state: values,
    context: [part, { kind: "text", text, metadata: values }],
  };
  const options = [
    { value: text, label: text, description: text },
    { value: "other", label: text },
  ];
  const steps = { instructions: text, verification: text, checklist: [{ text, done: false }] };
  return [
    notify(context, members),
    ask(context, members, { options, default_on_expire: text }),
    task(context, members, steps),
  ];
}

/** Submits a message and checks that it is read back unchanged. Returns its id, or undefined if the message is refused, which other rules test. */
async function expectUnchanged(
  context: ScenarioContext,
  description: string,
  message: JsonObject,
): Promise<string | undefined> {
  const reply = await post(context, message);
  const id = idOf(reply);
  if (!isAccepted(reply) || id === undefined) {
    context.skip("AHCP-GET-003", `a message with ${description} is not accepted`);
    return undefined;
  }
  const { created_at: _, ...submitted } = message;
  const stored = await readStored(context, id);
  const changedPath = findFirstMissing(stored, submitted);
  const why = `of a message with ${description}, ${changedPath} is not read as submitted: ${describeChange(changedPath, stored, submitted)}`;
  context.expect("AHCP-GET-003", changedPath === undefined, why);
  return id;
}

/** Describes how a value in a Response differs from the submitted value. */
const describeDifference = (submitted: Json, value: Json | undefined): string =>
  differenceIn(submitted, value) ?? "nothing has changed";

/** Scenarios that check that the hub stores every character of a message. */
export const unabridgedScenarios: readonly Scenario[] = [
  {
    name: "unabridged-long",
    says: "a long text is returned complete",
    rules: ["AHCP-GET-003", "AHCP-RSP-014"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      await expectUnchanged(context, "a title of 200 😀", notify(context, { title: "😀".repeat(200) }));
      const messageWithBody = notify(context, { body: longText.repeat(60) });
      await expectUnchanged(
        context,
        `a body of ${longText.length * 60} characters`,
        await fitMessage(context, messageWithBody),
      );
      const { agent } = ask(context) as { agent: JsonObject };
      const runId = `${context.fresh("run")} ${longText}`;
      const members = { agent: { ...agent, run_id: runId, project: longText }, client_ref: longText, tags: [longText] };
      const id = await expectUnchanged(context, "long texts", await fitMessage(context, ask(context, members)));
      if (id === undefined || !isAccepted(await cancel(context, id)))
        return context.skip("AHCP-RSP-014", "there is no Response to an agent with a long run_id");
      const { agent: namedAgent } = outcomeOf(await readStored(context, id)).envelope;
      // Other rules test whether there is an outcome.
      if (!isObject(namedAgent)) return context.skip("AHCP-RSP-014", "the Response does not contain an agent");
      const why = `the Response to a run_id of ${runId.length} characters has ${JSON.stringify(namedAgent.run_id ?? null)}`;
      context.expect("AHCP-RSP-014", namedAgent.run_id === runId, why);
    },
  },
  {
    name: "unabridged-null-character",
    says: "U+0000 in a text is preserved",
    rules: ["AHCP-GET-003", "AHCP-RSP-013"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const text = "before\u0000after";
      const state = { [text]: text };
      await expectUnchanged(
        context,
        "U+0000 in its title",
        notify(context, { title: `${context.fresh("null")}${text}` }),
      );
      const id = await expectUnchanged(context, "U+0000 in its texts", ask(context, { body: text, state }));
      if (id === undefined || !isAccepted(await cancel(context, id)))
        return context.skip("AHCP-RSP-013", "there is no Response to a message with U+0000 in its state");
      const { envelope } = outcomeOf(await readStored(context, id));
      if (Object.keys(envelope).length === 0) return context.skip("AHCP-RSP-013", "there is no Response");
      const isSame = equal(envelope.state ?? null, state);
      context.expect("AHCP-RSP-013", isSame, `of a state with U+0000 ${describeDifference(state, envelope.state)}`);
    },
  },
  {
    name: "unabridged-values",
    says: "false values, strings that look like other types, and final line breaks are returned unchanged",
    rules: ["AHCP-GET-003", "AHCP-RSP-013", "AHCP-RSP-014"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const text of oddTexts) {
        for (const longMessage of messagesWith(context, text)) {
          const message = await fitMessage(context, longMessage);
          const id = await expectUnchanged(context, `the text ${JSON.stringify(text)}`, message);
          if (message.type !== "ask" || id === undefined || !isAccepted(await cancel(context, id))) continue;
          const { state, agent } = outcomeOf(await readStored(context, id)).envelope;
          // Other rules test whether there is an outcome.
          if (!isObject(agent)) continue;
          const whyChanged = `of the state ${describeDifference(message.state as Json, state)}`;
          context.expect("AHCP-RSP-013", equal(state ?? null, message.state as JsonObject), whyChanged);
          const whyOther = `the Response to the run ${JSON.stringify(text)} names ${JSON.stringify(agent.run_id ?? null)}`;
          context.expect("AHCP-RSP-014", agent.run_id === text, whyOther);
        }
      }
    },
  },
];
