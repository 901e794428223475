import type { Dependence, Json, Protocol, ScenarioContext, Skip } from "../../../schemas/index.ts";
import { documentsOf, skipUnoffered } from "../../base/text/offered-features.ts";

/** Reports the rules of a scenario that do not bind the target, according to the documents that the target publishes about itself, as skipped, and returns the others; none if the scenario depends on a feature that the target lacks. Reads only documents on which something depends. */
export async function boundRules(
  protocol: Protocol,
  context: ScenarioContext,
  scenario: Dependence,
  rules: readonly string[],
): Promise<string[]> {
  const own = protocol.rules.filter(({ id }) => rules.includes(id));
  const published = new Map<string, Json | undefined>();
  for (const name of new Set([scenario, ...own].flatMap(documentsOf))) {
    const path = protocol.profile.http.publishes?.[name];
    const answer = path === undefined ? undefined : await context.send({ method: "GET", path });
    published.set(name, answer !== undefined && answer.status < 300 ? answer.json : undefined);
  }
  const ofScenario = skipUnoffered(scenario, published);
  const bound: string[] = [];
  for (const id of rules) {
    const rule = own.find((each) => each.id === id);
    const skip: Skip | undefined = ofScenario ?? (rule && skipUnoffered(rule, published));
    if (skip === undefined) bound.push(id);
    else context.skip(id, skip.why, skip.cause);
  }
  return bound;
}
