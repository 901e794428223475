import type { Dependence, Json, Protocol, ScenarioContext, Skip } from "../../../schemas/index.ts";
import { documentsOf, skipUnoffered } from "../../base/text/offered-features.ts";

/** Returns the rules of a scenario that bind the target, and reports the others as skipped. Which rules bind depends on the documents that the target publishes about itself. Returns none if the scenario needs a feature that the target lacks. Requests only the documents that the scenario or its rules depend on. */
export async function boundRules(
  protocol: Protocol,
  context: ScenarioContext,
  scenario: Dependence,
  rules: readonly string[],
): Promise<string[]> {
  const scenarioRules = protocol.rules.filter(({ id }) => rules.includes(id));
  const published = new Map<string, Json | undefined>();
  for (const name of new Set([scenario, ...scenarioRules].flatMap(documentsOf))) {
    const path = protocol.profile.http.publishes?.[name];
    const answer = path === undefined ? undefined : await context.send({ method: "GET", path });
    published.set(name, answer !== undefined && answer.status < 300 ? answer.json : undefined);
  }
  const skipOfScenario = skipUnoffered(scenario, published);
  const bindingIds: string[] = [];
  for (const id of rules) {
    const rule = scenarioRules.find((candidate) => candidate.id === id);
    const skip: Skip | undefined = skipOfScenario ?? (rule && skipUnoffered(rule, published));
    if (skip === undefined) bindingIds.push(id);
    else context.skip(id, skip.why, skip.cause);
  }
  return bindingIds;
}
