import type { JsonObject, ScenarioContext, Setting } from "../../../../schemas/index.ts";
import { deadlineIn } from "./deadline.ts";
import { ask, confirm } from "./messages.ts";
import { cancel, idOf, isAccepted, post, resolve } from "./steps.ts";

/** A confirm that lists approve and deny as its options. */
const explicitConfirm: JsonObject = {
  mode: "confirm",
  options: [
    { value: "approve", label: "Approve" },
    { value: "deny", label: "Deny" },
  ],
};

const knownBlocks = new WeakMap<Setting, JsonObject>();

/**
 * The `request` of a confirm with the answers approve and deny. Normally it has no options. If the hub does not accept approve
 * without options, AHCP-ASK-007 reports that, and the request lists both options, so that other rules can still be tested.
 */
export async function confirmFor(context: ScenarioContext): Promise<JsonObject> {
  const block = knownBlocks.get(context.setting) ?? ((await acceptsApprove(context)) ? confirm : explicitConfirm);
  knownBlocks.set(context.setting, block);
  return block;
}

async function acceptsApprove(context: ScenarioContext): Promise<boolean> {
  const { members } = await deadlineIn(context, 3_600_000);
  const reply = await post(context, ask(context, members, { ...confirm, default_on_expire: "deny" }));
  const id = idOf(reply);
  if (!isAccepted(reply) || id === undefined) return false;
  const isAnswered =
    !context.has("resolve") || (await resolve(context, id, { resolution: "answered", value: "approve" })).applied;
  await cancel(context, id);
  return isAnswered;
}
