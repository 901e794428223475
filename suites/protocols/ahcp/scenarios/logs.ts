import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { rest } from "./deadline.ts";
import { ask, input } from "./messages.ts";
import { fitted } from "./published.ts";
import { resolved, stored, submit } from "./steps.ts";

/** A text that stands nowhere else, and what it is. */
type Mark = [rule: string, what: string, text: string];

const sensitiveForm: JsonObject = {
  ...input,
  schema: { type: "object", properties: { note: { type: "string", "x-ahcp-sensitive": true } }, required: ["note"] },
};

/** Milliseconds for a line of a log that is written behind. */
const patience = 2000;

/** What the logs say by the time that they mention a message, or should. */
async function logsWith(context: ScenarioContext, id: string): Promise<string> {
  for (let waited = 0; ; waited += 250) {
    const text = JSON.stringify(await context.hook("logs", {}));
    if (text.includes(id) || waited >= patience) return text;
    await rest(context, 250);
  }
}

/** An ask that is answered, with a mark in whatever the logs leave out; gives its id and the marks. */
async function marked(
  context: ScenarioContext,
  name: string,
  ruleOf: (part: string) => string | undefined,
  more: JsonObject,
  request: JsonObject,
): Promise<{ id: string; marks: Mark[] }> {
  const marks: Mark[] = [];
  const mark = (part: string): string => {
    const [text, rule] = [context.fresh(`${name}-${part}`), ruleOf(part)];
    if (rule !== undefined) marks.push([rule, `the ${part} of ${name.replaceAll("-", " ")}`, text]);
    return text;
  };
  const parts = [{ kind: "text", text: mark("context") }];
  const message = ask(
    context,
    { ...more, state: { mark: mark("state") }, body: mark("body"), context: parts },
    request,
  );
  const { id } = await submit(context, await fitted(context, message));
  const value = { note: mark("value") };
  await resolved(context, id, { resolution: "answered", value, comment: mark("comment") });
  await stored(context, id);
  return { id, marks };
}

export const logs: readonly Scenario[] = [
  {
    name: "logs-discreet",
    says: "logs leave out what a message and its answer say",
    rules: ["AHCP-STA-001", "AHCP-SAF-004", "AHCP-SAF-003"],
    needs: ["resolve", "logs"],
    withinMs: 60_000,
    async play(context) {
      const plain = (part: string): string => (part === "state" ? "AHCP-STA-001" : "AHCP-SAF-003");
      const sensitive = (part: string): string => (part === "state" ? "AHCP-STA-001" : "AHCP-SAF-004");
      const field = (part: string): string | undefined => (part === "value" ? "AHCP-SAF-004" : undefined);
      const all = [
        await marked(context, "an-ask", plain, {}, input),
        await marked(context, "a-sensitive-ask", sensitive, { sensitive: true }, input),
        await marked(context, "an-ask-for-what-is-sensitive", field, {}, sensitiveForm),
      ];
      const text = await logsWith(context, all.at(-1)?.id ?? "");
      for (const { id, marks } of all)
        for (const [rule, what, mark] of marks) {
          const isThere = text.includes(mark);
          // Logs without the message may be others, or only a part of them.
          if (isThere || text.includes(id)) context.expect(rule, !isThere, `the logs have ${what}`);
          else context.skip(rule, `what the hook "logs" returns does not mention the message ${id}, which was read`);
        }
    },
  },
];
