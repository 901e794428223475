import { parse, stringify } from "yaml";
import { isObject, type JsonObject, type Scenario, TargetFailure } from "../../../../../schemas/index.ts";
import { freshTask, hub, isSameId } from "../messages.ts";
import { agentOf } from "./play.ts";
import { expectArrival } from "./work-messages.ts";

/** Writes a message as YAML, with quoted times and unquoted ids. */
function writeYaml(message: JsonObject): string {
  return stringify(message, { defaultStringType: "PLAIN", version: "1.1" });
}

/** Reads YAML 1.1; undefined if it cannot be parsed or is not a mapping. */
function loadYaml(text: string): Record<string, unknown> | undefined {
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
    says: "in YAML, every loader reads ids and times as strings",
    rules: ["CONV-BASE-013"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-BASE-013";
      if (context.setting.options?.yaml !== true)
        return context.skip(
          rule,
          "the agent does not declare that it accepts YAML: set `options: { yaml: true }` in a configuration",
        );
      const agent = await agentOf(context);
      const deadline = "2030-01-21T14:30:00Z";
      const assignment = await agent.message("task.assignment", {
        task_id: freshTask(context),
        task: { description: "Read it.", deadline },
      });
      agent.exchanged.push({ message: assignment, isOwn: false });
      await agent.ask("deliver", { text: writeYaml(assignment) });
      const isHandled = await agent.becomesTrue(async () =>
        (await agent.reportWork()).handledIds.includes(String(assignment.message_id)),
      );
      expectArrival(
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
          throw new TargetFailure("errored", "hook", 'the hook "outbox" does not return {"texts": […]}');
        message ??= sentTexts
          .map((text) => loadYaml(String(text)))
          .find((loaded) => isSameId(loaded?.message_id, ownMessage.message_id));
        return message !== undefined;
      });
      if (message === undefined) return context.skip(rule, "the prepared message does not reach the outbox as YAML");
      for (const name of ["timestamp", "message_id", "task_id"]) {
        const isString = typeof message[name] === "string";
        // Only a warning, since a YAML 1.2 loader still reads a string.
        context.expect(
          rule,
          isString,
          `${name} is not quoted, so a YAML 1.1 loader does not read it as a string`,
          "SHOULD",
        );
      }
    },
  },
];
