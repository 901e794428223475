import { parse, stringify } from "yaml";
import { isObject, type JsonObject, type Scenario, TargetFailure } from "../../../../../schemas/index.ts";
import { freshTask, hub, isSameId } from "../messages.ts";
import { mustCome } from "./conflict-messages.ts";
import { agentOf } from "./play.ts";

/** A message in YAML, with its times quoted and its ids unquoted. */
function writeText(message: JsonObject): string {
  return stringify(message, { defaultStringType: "PLAIN", version: "1.1" });
}

/** The result of a YAML 1.1 loader for a text; undefined if it is not YAML, or not a mapping. */
function loadText(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(text, { version: "1.1", maxAliasCount: 100 });
    return isObject(value as JsonObject) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export const yamlScenarios: readonly Scenario[] = [
  {
    name: "agent-texts",
    side: "agent",
    says: "in YAML, ids and times are texts, for every loader",
    rules: ["CONV-BASE-013"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-BASE-013";
      if (context.setting.options?.yaml !== true)
        return context.skip(
          rule,
          "no option says that the agent accepts YAML: `options: { yaml: true }` in a configuration",
        );
      const agent = await agentOf(context);
      const deadline = "2030-01-21T14:30:00Z";
      const assignment = await agent.message("task.assignment", {
        task_id: freshTask(context),
        task: { description: "Read it.", deadline },
      });
      agent.exchanged.push({ message: assignment, isOwn: false });
      await agent.ask("deliver", { text: writeText(assignment) });
      const isHandled = await agent.becomesTrue(async () =>
        (await agent.reportWork()).handledIds.includes(String(assignment.message_id)),
      );
      mustCome(
        context,
        { agent, rule },
        isHandled,
        "a message in YAML with quoted times and unquoted ids is not handled",
      );
      const progress = { percent_complete: 40, status: "on_track" };
      const ownMessage = await agent.message(
        "task.update",
        { task_id: freshTask(context), progress },
        { from: agent.id, to: hub },
      );
      await agent.ask("prepare", { message: ownMessage });
      let message: Record<string, unknown> | undefined;
      await agent.becomesTrue(async () => {
        const { texts: sentTexts } = await agent.ask("outbox", { as: "texts" });
        if (!Array.isArray(sentTexts))
          throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"texts": […]}');
        message ??= sentTexts
          .map((text) => loadText(String(text)))
          .find((each) => isSameId(each?.message_id, ownMessage.message_id));
        return message !== undefined;
      });
      if (message === undefined) return context.skip(rule, "the prepared message does not reach the outbox as YAML");
      for (const name of ["timestamp", "message_id", "task_id"]) {
        const isText = typeof message[name] === "string";
        // A YAML 1.2 loader leaves it as a text, so that nothing goes wrong.
        context.expect(rule, isText, `a YAML 1.1 loader makes no text of ${name}, which is not quoted`, "SHOULD");
      }
    },
  },
];
