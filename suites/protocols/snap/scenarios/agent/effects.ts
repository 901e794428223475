import type { Json, JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import {
  ask,
  breakSeal,
  messageOf,
  nowInSeconds,
  type Peer,
  request,
  requestWith,
  sendAccepted,
  stateOf,
  textFor,
  waitUntilAtRest,
} from "../parties.ts";

/** Opens a task that keeps running. It shows whether a refused message had an effect. */
export async function startTask(context: ScenarioContext, peer: Peer): Promise<string> {
  const { task } = await sendAccepted(context, peer, {
    method: "message/send",
    payload: messageOf(context, textFor(context, "working")),
  });
  return String(task.id);
}

/** Checks that refused messages to a task neither continue it nor add a turn. */
export async function checkNothingAdded(context: ScenarioContext, peer: Peer): Promise<void> {
  const { asking } = context.setting.options ?? {};
  if (typeof asking !== "string")
    return context.skip(
      "SNAP-VAL-006",
      'only a task that asks shows whether a turn is stored: the option "asking" is a text that opens one',
    );
  const { task } = await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context, asking) });
  const restingTask = await waitUntilAtRest(context, peer, task);
  if (stateOf(restingTask) !== "input_required") return;
  const namedTask = { taskId: task.id as Json };
  const readTask = async (): Promise<[state: string, turns: number]> => {
    const { task: reportedTask } = await sendAccepted(context, peer, { method: "tasks/get", payload: namedTask });
    return [stateOf(reportedTask), Array.isArray(reportedTask.history) ? reportedTask.history.length : 0];
  };
  const [state, turns] = await readTask();
  if (turns === 0) return context.skip("SNAP-VAL-006", "a task returns no history, so a stored turn would not show");
  const timestamp = (await nowInSeconds(context)) - 180;
  const nextTurn = { ...namedTask, ...messageOf(context) };
  const refusedMessages: [description: string, message: JsonObject][] = [
    ["with a forged signature", breakSeal(await request(context, peer, "message/send", nextTurn))],
    [
      "from three minutes ago",
      await requestWith(context, peer, { method: "message/send", payload: nextTurn, more: { timestamp } }),
    ],
  ];
  for (const [description, message] of refusedMessages) {
    const answer = await ask(context, peer, message);
    if (!answer.isRefused) return context.skip("SNAP-VAL-006", `a message ${description} is not refused`);
    const [laterState, laterTurns] = await readTask();
    const why = `a message ${description} to a task is refused, but the task is now ${laterState} with ${laterTurns} turns, and was ${state} with ${turns}`;
    context.expect("SNAP-VAL-006", laterState === state && laterTurns === turns, why);
    if (laterState !== state || laterTurns !== turns) return;
  }
}
