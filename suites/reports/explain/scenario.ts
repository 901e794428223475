import { calledBy, type Protocol, type Scenario } from "../../../schemas/index.ts";
import { readableOf } from "../../packs/pack/load.ts";
import { sidesOf } from "../../running/scenarios/sides.ts";

/** Explains a scenario by its name or by one of its results: its purpose, its needs, and its rules. Undefined if there is none with that name. */
export async function scenarioLines(protocol: Protocol, name: string): Promise<string[] | undefined> {
  const [, scenarioName] = /\/scenarios\/([^/]+)/.exec(name) ?? [];
  const scenario = (await playableScenarios(protocol)).find((playable) => playable.name === scenarioName);
  if (scenario === undefined) return undefined;
  const id = `${protocol.name}/${protocol.version}/scenarios/${scenario.name}`;
  if (name !== id && !scenario.rules.some((rule) => name === `${id}/${rule}`)) return undefined;
  return [
    id,
    `  It shows that ${scenario.says}.`,
    "",
    ...(scenario.side === undefined ? [] : [`  side      ${scenario.side}`]),
    `  needs     ${scenario.needs.length === 0 ? "nothing but the target" : scenario.needs.join(", ")}`,
    `  limit     ${scenario.withinMs / 1000} s, after which it has timed out`,
    ...(scenario.waits === undefined ? [] : [`  waits     ${scenario.waits / 1000} s without the hook "clock"`]),
    ...(scenario.reachesLimit === undefined
      ? []
      : ["  waits     as long as the target's limit of requests asks (Retry-After)"]),
    ...scenario.rules.flatMap((ruleId) => {
      const rule = protocol.rules.find((candidate) => candidate.id === ruleId);
      return [
        "",
        `  ${ruleId}${rule === undefined ? "" : ` ${rule.level}, clause ${rule.clause}`}`,
        ...(rule === undefined ? [] : [`    ${rule.statement}`]),
      ];
    }),
    "",
    "A failure is shown with the last exchanges before it; --verbose shows more of them. To play it again, alone:",
    ...playCommands(protocol, scenario, id, `replay ${id} --http URL`),
  ];
}

/** The commands that play the matching scenarios with a party. `usualCommand` is the command for a server on the usual side. */
export function playCommands(protocol: Protocol, party: ScenarioParty, only: string, usualCommand: string): string[] {
  const { isOfAgent, side, takesCommand } = party;
  const name = calledBy(protocol);
  const isUsual = side === undefined || side === sidesOf(protocol)[0];
  const play = `play ${name}${isUsual ? "" : ` --side ${side}`} --only ${only}`;
  const commands = isOfAgent
    ? [`play ${name} --side agent --only ${only} --config agent.yaml`]
    : [
        // A party that is neither a server nor a command can only be reached by hooks.
        isUsual ? usualCommand : `${play} ${takesCommand ? "--http URL" : "--config touchstone.config.yaml"}`,
        ...(takesCommand ? [`${play} --command CMD`] : []),
      ];
  return commands.map((command) => `  touchstone ${command}`);
}

/** A scenario of a target, or of an agent that receives a hub's messages. */
export type Playable = Pick<
  Scenario,
  "name" | "says" | "rules" | "side" | "needs" | "withinMs" | "waits" | "reachesLimit"
> & {
  isOfAgent: boolean;
  takesCommand: boolean;
};

/** The party with which a scenario is played. */
type ScenarioParty = Pick<Playable, "side" | "takesCommand" | "isOfAgent">;

/** All scenarios of a protocol. */
export async function playableScenarios(protocol: Protocol): Promise<Playable[]> {
  const { scenarios, agent } = await readableOf(protocol);
  const { scenarios: targetScenarios = [], takesCommand = false } = (await scenarios?.()) ?? {};
  const { agent: side } = (await agent?.()) ?? {};
  return [
    ...targetScenarios.map((scenario) => ({ ...scenario, isOfAgent: false, takesCommand })),
    ...(side?.scenarios ?? []).map((scenario) => ({ ...scenario, needs: [], isOfAgent: true, takesCommand: false })),
  ];
}
