import { randomUUID } from "node:crypto";
import type { A2aPolicy } from "./agent.ts";
import { finalStates } from "./tasks.ts";
import { textOf } from "./work.ts";

/** The decisions of an agent that follows every rule. */
export const correctAgent: A2aPolicy = {
  changeCard: (card) => card,
  cardFor: (_, card) => card,
  cardHeaders: (headers) => headers,
  makesCheck: () => true,
  changeFault: (fault) => fault,
  refuseCall: () => undefined,
  isSilent: () => false,
  readsVersionInQuery: true,
  decodePathPart: decodeURIComponent,
  acceptsSecondCancel: false,
  readDelay: 0,
  pageTokens: "cursor",
  callsDeletedWebhooks: false,
  continuesAfterGrant: true,
  changeResult: (result) => result,
  changeAnswer: (answer) => answer,
  changeItem: (item) => [item],
  writeEvent: (text) => `data: ${text}\n\n`,
  endsStreamAt: (state) => finalStates.includes(state),
  changePost: (post) => post,
  retryDelays: [200, 600],
  postTimeout: 850,
  waitsForRest: ({ params }) =>
    (params.configuration as { returnImmediately?: unknown } | undefined)?.returnImmediately !== true,
  acceptsWhileWorking: false,
  createTaskId: randomUUID,
  chooseContext: (requested) => requested ?? randomUUID(),
  stepDuration: 400,
  compareTasks: (task, otherTask) => otherTask.changedAt - task.changedAt || otherTask.number - task.number,
  isListed: (task, { caller }) => task.owner === caller,
  cancelsTask: () => true,
  onClientLeft: () => {},
  recordMessage: (task, message) => void task.history.push(message),
  readText: textOf,
};
