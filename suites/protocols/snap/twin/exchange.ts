import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import type { DocumentCheck } from "./check.ts";
import { checkForm, checkMessage, checkSemantics, type EnvelopeMessage } from "./envelope.ts";
import { checkError } from "./parts.ts";
import { checkEvent, checkResponse, methods, streams } from "./payloads.ts";
import type { RecordJudge } from "./records.ts";

/** The facts known about an exchange while its answers are read. */
interface ExchangeCourse {
  request: EnvelopeMessage;
  isStream: boolean;
  task: Json | undefined;
  ids: Set<string>;
  artifacts: Set<Json>;
}

export const exchange: RecordJudge = (requestCheck, value) => {
  checkMessage(requestCheck, value.request as Json, "/request");
  if (requestCheck.faults.length > 0) return;
  const check = requestCheck.forSender();
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
  if (answers.length === 0 || (!isStream && answers.length > 1))
    check.addCodeFault("/answers", "are too few or too many");
  for (const [index, each] of answers.entries()) {
    const at = `/answers/${index}`;
    const faultsBefore = check.faults.length;
    if (!checkForm(check, each, at) || check.faults.length > faultsBefore) continue;
    checkAnswer(check, each as unknown as EnvelopeMessage, { course, at, isLast: index === answers.length - 1 });
  }
};

function checkAnswer(
  check: DocumentCheck,
  answerMessage: EnvelopeMessage,
  { course, at, isLast }: { course: ExchangeCourse; at: string; isLast: boolean },
): void {
  const { request, isStream, ids } = course;
  if (answerMessage.type !== (isLast ? "response" : "event"))
    check.addCodeFault(`${at}/type`, "is not the expected type");
  if (answerMessage.method !== request.method) check.addCodeFault(`${at}/method`, "is not the method of the request");
  if (answerMessage.from !== request.to) check.addCodeFault(`${at}/from`, "is not the recipient of the request");
  if (answerMessage.to !== request.from) check.addCodeFault(`${at}/to`, "is not the sender of the request");
  if (ids.has(answerMessage.id) && check.strict("answer-ids")) check.addCodeFault(`${at}/id`, "was used before");
  ids.add(answerMessage.id);
  if (answerMessage.id === request.id && check.strict("answer-id"))
    check.addCodeFault(`${at}/id`, "is the id of the request");
  if (answerMessage.sig === undefined && check.strict("unsigned-answers"))
    check.addCodeFault(`${at}/sig`, "is missing");
  checkSemantics(check, answerMessage, at);
  const isLate =
    answerMessage.sig !== undefined && !isStream && Math.abs(answerMessage.timestamp - request.timestamp) > 120;
  if (isLate && check.strict("stale-responses")) check.addCodeFault(`${at}/timestamp`, "is too far from the request");
  if (answerMessage.type === "event") checkProgress(check, answerMessage, course, at);
  if (answerMessage.type === "response") checkResult(check, answerMessage, course, at);
}

function checkProgress(
  check: DocumentCheck,
  { method, payload }: EnvelopeMessage,
  course: ExchangeCourse,
  at: string,
): void {
  if (streams.includes(method)) checkEvent(check, payload, `${at}/payload`);
  const isOtherTask = course.task !== undefined && payload.taskId !== course.task;
  if (isOtherTask && check.strict("stream-task")) check.addCodeFault(`${at}/payload/taskId`, "is another task");
  course.task ??= payload.taskId;
  if (isObject(payload.artifact)) course.artifacts.add(payload.artifact.artifactId as Json);
}

function checkResult(check: DocumentCheck, { payload }: EnvelopeMessage, course: ExchangeCourse, at: string): void {
  const { request } = course;
  if (!methods.includes(request.method)) {
    const code = isObject(payload.error) ? Number(payload.error.code) : 0;
    if (code !== 1007 && Math.floor(code / 1000) !== 5)
      check.addCodeFault(`${at}/payload`, "does not refuse the method");
    else checkError(check, payload.error as Json, `${at}/payload/error`);
    return;
  }
  checkResponse(check, payload, `${at}/payload`, true);
  if (isObject(payload.task))
    checkOutcome(check, payload.task, { course, at: `${at}/payload/task`, isRefused: payload.error !== undefined });
}

function checkOutcome(
  check: DocumentCheck,
  reportedTask: JsonObject,
  { course, at, isRefused }: { course: ExchangeCourse; at: string; isRefused: boolean },
): void {
  const { request, isStream, task, artifacts } = course;
  const state = isObject(reportedTask.status) ? reportedTask.status.state : undefined;
  const isTaskNamed = request.payload.taskId !== undefined;
  if (task !== undefined && reportedTask.id !== task && (isTaskNamed || check.strict("stream-task")))
    check.addCodeFault(`${at}/id`, "is another task");
  const finalArtifacts = (Array.isArray(reportedTask.artifacts) ? reportedTask.artifacts : []).map(
    (artifact) => isObject(artifact) && artifact.artifactId,
  );
  const isWhole = [...artifacts].every((id) => finalArtifacts.includes(id));
  if (isStream && !isWhole && (state === "completed" || check.strict("stream-whole")))
    check.addCodeFault(`${at}/artifacts`, "lack an artifact of an earlier event");
  const turns = Array.isArray(reportedTask.history) ? reportedTask.history.length : 0;
  const { historyLength } = request.payload;
  if (request.method === "tasks/get" && typeof historyLength === "number" && turns > historyLength)
    check.addCodeFault(`${at}/history`, "is longer than asked for");
  const isFinished = state === "completed" || state === "failed";
  const isAcceptedCancel = request.method === "tasks/cancel" && !isRefused;
  if (isAcceptedCancel && state !== "canceled" && (!isFinished || check.strict("cancel-done")))
    check.addCodeFault(`${at}/status/state`, "is not canceled");
}
