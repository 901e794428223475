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
import { describeChange, firstMissing } from "./lost-messages.ts";
import { ask, notify, task } from "./messages.ts";
import { fitMessage } from "./published.ts";
import { cancel, idOf, isAccepted, outcomeOf, post, readStored } from "./steps.ts";

/** Longer than the 255 characters of a usual column, or the 64 of a short one. */
const longText = "touchstone ".repeat(30);

/** A message of each type with the same text everywhere, and with values of other types that look like texts. */
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

/** Submits a message and expects to read it back unchanged. Returns its id; undefined if it is refused, which another rule judges. */
async function mustKeep(
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
  const place = firstMissing(stored, submitted);
  const why = `of a message with ${description}, ${place} is not read as submitted: ${describeChange(place, stored, submitted)}`;
  context.expect("AHCP-GET-003", place === undefined, why);
  return id;
}

/** Describes the change of a value in a Response. */
const describeDifference = (submitted: Json, value: Json | undefined): string =>
  differenceIn(submitted, value) ?? "everything is returned";

/** Checks that texts are kept to the last character. */
export const unabridgedScenarios: readonly Scenario[] = [
  {
    name: "unabridged-long",
    says: "a long text comes back whole",
    rules: ["AHCP-GET-003", "AHCP-RSP-014"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      await mustKeep(context, "a title of 200 😀", notify(context, { title: "😀".repeat(200) }));
      const bodied = notify(context, { body: longText.repeat(60) });
      await mustKeep(context, `a body of ${longText.length * 60} characters`, await fitMessage(context, bodied));
      const { agent } = ask(context) as { agent: JsonObject };
      const runId = `${context.fresh("run")} ${longText}`;
      const members = { agent: { ...agent, run_id: runId, project: longText }, client_ref: longText, tags: [longText] };
      const id = await mustKeep(context, "long texts", await fitMessage(context, ask(context, members)));
      if (id === undefined || !isAccepted(await cancel(context, id)))
        return context.skip("AHCP-RSP-014", "there is no Response to an agent with a long run_id");
      const { agent: namedAgent } = outcomeOf(await readStored(context, id)).envelope;
      // Another rule judges whether there is an outcome.
      if (!isObject(namedAgent)) return context.skip("AHCP-RSP-014", "the Response names no agent");
      const why = `the Response to a run_id of ${runId.length} characters names ${JSON.stringify(namedAgent.run_id ?? null)}`;
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
      await mustKeep(context, "U+0000 in its title", notify(context, { title: `${context.fresh("null")}${text}` }));
      const id = await mustKeep(context, "U+0000 in its texts", ask(context, { body: text, state }));
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
    says: "false values, texts that look like another type, and final line ends come back unchanged",
    rules: ["AHCP-GET-003", "AHCP-RSP-013", "AHCP-RSP-014"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const text of oddTexts) {
        for (const fullMessage of messagesWith(context, text)) {
          const message = await fitMessage(context, fullMessage);
          const id = await mustKeep(context, `the text ${JSON.stringify(text)}`, message);
          if (message.type !== "ask" || id === undefined || !isAccepted(await cancel(context, id))) continue;
          const { state, agent } = outcomeOf(await readStored(context, id)).envelope;
          // Another rule judges whether there is an outcome.
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
