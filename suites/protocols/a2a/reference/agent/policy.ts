import { randomUUID } from "node:crypto";
import type { A2aPolicy } from "./agent.ts";
import { terminal } from "./tasks.ts";
import { textOf } from "./work.ts";

/** The decisions of an agent that keeps every rule. */
export const right: A2aPolicy = {
  card: (card) => card,
  cardFor: (_, card) => card,
  cardHeaders: (headers) => headers,
  checks: () => true,
  fails: (fault) => fault,
  refuses: () => undefined,
  isSilent: () => false,
  readsQuery: true,
  decodes: decodeURIComponent,
  cancelsAgain: false,
  delay: 0,
  pages: "cursor",
  keepsDeleted: false,
  isGranted: true,
  says: (result) => result,
  answers: (answer) => answer,
  streams: (item) => [item],
  writes: (text) => `data: ${text}\n\n`,
  closes: (state) => terminal.includes(state),
  posts: (post) => post,
  retries: [200, 600],
  postLimit: 850,
  waits: ({ params }) =>
    (params.configuration as { returnImmediately?: unknown } | undefined)?.returnImmediately !== true,
  takesMore: false,
  taskId: randomUUID,
  contextFor: (given) => given ?? randomUUID(),
  step: 400,
  order: (one, other) => other.changed - one.changed || other.serial - one.serial,
  lists: (task, { caller }) => task.owner === caller,
  cancels: () => true,
  left: () => {},
  takes: (task, message) => void task.history.push(message),
  reads: textOf,
};
