import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { awaitDuePush, judgeDue } from "../../ahcp/scenarios/due-messages.ts";
import { ask } from "../../ahcp/scenarios/messages.ts";
import { bodyOf, pushNeeds, pushRequestMembers } from "../../ahcp/scenarios/pushes.ts";
import {
  cancel,
  codeOf,
  inShort,
  isAccepted,
  outcomeOf,
  post,
  readStored,
  resolveMessage,
  submit,
} from "../../ahcp/scenarios/steps.ts";

/** The versions whose messages may request a push. */
const pushedVersions = ["0.3", "0.4", "0.5"];

const pushesEachVersion: Scenario = {
  name: "versions-of-pushes",
  says: "the hub pushes the outcome of a message of any version since 0.3 that requests it",
  rules: ["MA2H-VER-009", "MA2H-VER-010"],
  needs: [...pushNeeds, "resolve"],
  withinMs: 500_000,
  async play(context) {
    for (const version of pushedVersions) {
      const callback = await context.callback([200]);
      const askWithPush = ask(context, { ahcp_version: version }, await pushRequestMembers(context, callback.url));
      const reply = await post(context, askWithPush);
      const acceptsWithoutPush = isAccepted(await post(context, ask(context, { ahcp_version: version })));
      // A hub may refuse the callback whatever the version.
      if (!isAccepted(reply) && version === "0.3" && !(await acceptsNewerPush(context, callback.url)))
        return context.skip("MA2H-VER-009", "the hub does not accept a callback to the suite");
      const why = `with version ${version} a push is refused: ${inShort(reply)}`;
      context.expect("MA2H-VER-009", isAccepted(reply) || !acceptsWithoutPush, why, reply);
      if (!isAccepted(reply)) continue;
      await resolveMessage(context, String((reply.json as { id?: unknown }).id));
      const due = await awaitDuePush(context, callback);
      if (!judgeDue(context, "MA2H-VER-009", due, `with version ${version} the outcome is not pushed`)) continue;
      const [push] = callback.arrivals;
      const { ahcp_version: pushedVersion = null } = bodyOf(push);
      const whyVersion = `the push for a message of version ${version} states ${JSON.stringify(pushedVersion)}`;
      context.expect("MA2H-VER-010", pushedVersion === version, whyVersion, push);
    }
  },
};

async function acceptsNewerPush(context: ScenarioContext, url: string): Promise<boolean> {
  return isAccepted(await post(context, ask(context, { ahcp_version: "0.5" }, await pushRequestMembers(context, url))));
}

const outcomesKeepVersion: Scenario = {
  name: "versions-of-outcomes",
  says: "an outcome is shown in the version of its message",
  rules: ["MA2H-VER-010"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    for (const version of pushedVersions) {
      const { id } = await submit(context, ask(context, { ahcp_version: version }));
      await cancel(context, id);
      const { envelope } = outcomeOf(await readStored(context, id));
      // Other rules judge whether there is an outcome with a version.
      const { ahcp_version: outcomeVersion } = envelope;
      if (outcomeVersion === undefined)
        return context.skip("MA2H-VER-010", "a cancelled ask has no outcome with a version");
      const why = `the outcome of a message of version ${version} states ${JSON.stringify(outcomeVersion)}`;
      context.expect("MA2H-VER-010", outcomeVersion === version, why);
    }
  },
};

/** The callback members to test: those that the hub accepts in a correct message. */
async function acceptedCallbacks(context: ScenarioContext): Promise<JsonObject[]> {
  const withoutPush = [{}, { callback: { mode: "pull" } }];
  if (!pushNeeds.every(context.has)) return withoutPush;
  const { url } = await context.callback([200]);
  return (await acceptsNewerPush(context, url))
    ? [...withoutPush, await pushRequestMembers(context, url)]
    : withoutPush;
}

const refusesLeadingZeros: Scenario = {
  name: "versions-leading-zeros",
  says: "a version with a leading zero makes the message malformed, with a push and without",
  rules: ["MA2H-VER-007"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    for (const request of await acceptedCallbacks(context))
      for (const version of ["0.03", "0.00", "0.05", "01.0"]) {
        const reply = await post(context, ask(context, { ahcp_version: version }, request));
        const code = codeOf(reply);
        // The part before the dot may be read as another major version.
        const level = version === "01.0" && code === "version_not_supported" ? "SHOULD" : undefined;
        const isRefused = reply.status === 400 && code === "validation_error";
        const { mode = "no callback" } = (request.callback ?? {}) as JsonObject;
        const why = `version ${version} with ${mode} is not refused with 400 validation_error: ${inShort(reply)}`;
        context.expect("MA2H-VER-007", isRefused, why, reply.status === 400 ? level : undefined, reply);
      }
  },
};

/** Scenarios about versions, which set the version of each message themselves. */
export const versions: readonly Scenario[] = [pushesEachVersion, outcomesKeepVersion, refusesLeadingZeros];
