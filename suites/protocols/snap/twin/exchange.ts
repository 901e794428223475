import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import type { DocumentCheck } from "./check.ts";
import { checkSemantics, type EnvelopeMessage, hasForm, message } from "./envelope.ts";
import { error } from "./parts.ts";
import { answer, event, methods, streams } from "./payloads.ts";
import type { RecordJudge } from "./records.ts";

/** The facts known about an exchange while its answers are read. */
interface ExchangeCourse {
  request: EnvelopeMessage;
  isStream: boolean;
  task: Json | undefined;
  ids: Set<string>;
  artifacts: Set<Json>;
}

export const exchange: RecordJudge = (given, value) => {
  message(given, value.request as Json, "/request");
  if (given.faults.length > 0) return;
  const check = given.ofSender();
  const request = value.request as unknown as EnvelopeMessage;
  const answers = value.answers as Json[];
  const isStream = streams.includes(request.method);
  const course = {
    request,
    isStream,
    task: request.payload.taskId,
    ids: new Set<string>(),
    artifacts: new Set<Json>(),
  };
  if (answers.length === 0 || (!isStream && answers.length > 1)) check.beyond("/answers", "are none, or too many");
  for (const [index, each] of answers.entries()) {
    const at = `/answers/${index}`;
    const before = check.faults.length;
    if (!hasForm(check, each, at) || check.faults.length > before) continue;
    item(check, each as unknown as EnvelopeMessage, { course, at, isLast: index === answers.length - 1 });
  }
};

function item(
  check: DocumentCheck,
  member: EnvelopeMessage,
  { course, at, isLast }: { course: ExchangeCourse; at: string; isLast: boolean },
): void {
  const { request, isStream, ids } = course;
  if (member.type !== (isLast ? "response" : "event")) check.beyond(`${at}/type`, "is another than is due");
  if (member.method !== request.method) check.beyond(`${at}/method`, "is another");
  if (member.from !== request.to) check.beyond(`${at}/from`, "was not asked");
  if (member.to !== request.from) check.beyond(`${at}/to`, "did not ask");
  if (ids.has(member.id) && check.strict("answer-ids")) check.beyond(`${at}/id`, "is there twice");
  ids.add(member.id);
  if (member.id === request.id && check.strict("answer-id")) check.beyond(`${at}/id`, "is that of the request");
  if (member.sig === undefined && check.strict("unsigned-answers")) check.beyond(`${at}/sig`, "is missing");
  checkSemantics(check, member, at);
  const isLate = member.sig !== undefined && !isStream && Math.abs(member.timestamp - request.timestamp) > 120;
  if (isLate && check.strict("stale-responses")) check.beyond(`${at}/timestamp`, "is far off");
  if (member.type === "event") progress(check, member, course, at);
  if (member.type === "response") result(check, member, course, at);
}

function progress(
  check: DocumentCheck,
  { method, payload }: EnvelopeMessage,
  course: ExchangeCourse,
  at: string,
): void {
  if (streams.includes(method)) event(check, payload, `${at}/payload`);
  const isOtherTask = course.task !== undefined && payload.taskId !== course.task;
  if (isOtherTask && check.strict("stream-task")) check.beyond(`${at}/payload/taskId`, "is another task");
  course.task ??= payload.taskId;
  if (isObject(payload.artifact)) course.artifacts.add(payload.artifact.artifactId as Json);
}

function result(check: DocumentCheck, { payload }: EnvelopeMessage, course: ExchangeCourse, at: string): void {
  const { request } = course;
  if (!methods.includes(request.method)) {
    const code = isObject(payload.error) ? Number(payload.error.code) : 0;
    if (code !== 1007 && Math.floor(code / 1000) !== 5) check.beyond(`${at}/payload`, "does not refuse the method");
    else error(check, payload.error as Json, `${at}/payload/error`);
    return;
  }
  answer(check, payload, `${at}/payload`, true);
  if (isObject(payload.task))
    outcome(check, payload.task, { course, at: `${at}/payload/task`, isRefused: payload.error !== undefined });
}

function outcome(
  check: DocumentCheck,
  member: JsonObject,
  { course, at, isRefused }: { course: ExchangeCourse; at: string; isRefused: boolean },
): void {
  const { request, isStream, task, artifacts } = course;
  const state = isObject(member.status) ? member.status.state : undefined;
  const isAsked = request.payload.taskId !== undefined;
  if (task !== undefined && member.id !== task && (isAsked || check.strict("stream-task")))
    check.beyond(`${at}/id`, "is another task");
  const has = (Array.isArray(member.artifacts) ? member.artifacts : []).map(
    (each) => isObject(each) && each.artifactId,
  );
  const isWhole = [...artifacts].every((id) => has.includes(id));
  if (isStream && !isWhole && (state === "completed" || check.strict("stream-whole")))
    check.beyond(`${at}/artifacts`, "lack one that came before");
  const turns = Array.isArray(member.history) ? member.history.length : 0;
  const { historyLength } = request.payload;
  if (request.method === "tasks/get" && typeof historyLength === "number" && turns > historyLength)
    check.beyond(`${at}/history`, "is longer than asked for");
  const isFinished = state === "completed" || state === "failed";
  if (
    request.method === "tasks/cancel" &&
    !isRefused &&
    state !== "canceled" &&
    (!isFinished || check.strict("cancel-done"))
  )
    check.beyond(`${at}/status/state`, "is not canceled");
}
