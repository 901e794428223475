import { equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { fitsForm } from "./form.ts";
import { offeredValues } from "./message.ts";

const defaultActor = "system:default_on_expire";

const outcomesByType: Readonly<Record<string, readonly Json[]>> = {
  ask: ["answered", "declined", "cancelled", "expired"],
  task: ["completed", "dismissed", "expired"],
};

/** Judges a Response to any message. */
export function judgeResponse(report: ReportFault, value: JsonObject): void {
  for (const holder of [value, objectOrEmpty(value.response)]) {
    if (Object.hasOwn(holder, "payload_sha256")) report("the body contains the digest");
    if (Object.hasOwn(holder, "signature") || Object.hasOwn(holder, "signed_context"))
      report("the body contains a signature", "signatures-inside");
  }
  if (/(^|\.)0\d/.test(String(value.ahcp_version))) report("the version has leading zeros", "leading-zeros");
  const { resolution, defaulted } = value;
  const inner = objectOrEmpty(value.response);
  if (defaulted === true && (resolution !== "expired" || inner.actor !== defaultActor))
    report("defaulted does not match the outcome");
  if (resolution !== "expired" && inner.actor === defaultActor) report("a default was applied without an expiry");
  const isAskOutcome = ["answered", "declined", "cancelled"].includes(String(resolution));
  if (isAskOutcome && !isObject(value.response)) report("an ask ends without a response");
  if (["completed", "dismissed"].includes(String(resolution)) && Object.hasOwn(inner, "value"))
    report("a task has a value");
  if (resolution === "answered" && isObject(value.response) && !Object.hasOwn(inner, "value"))
    report("an answered ask has no value");
  if (["declined", "cancelled"].includes(String(resolution)) && Object.hasOwn(inner, "value"))
    report("an ask without an answer has a value", "value-without-answer");
  if (resolution === "expired" && String(inner.actor).startsWith("human:")) report("a person ended an expired message");
  judgeChecklist(report, inner);
}

function judgeChecklist(report: ReportFault, inner: JsonObject): void {
  const { checklist: items } = inner;
  if (items === undefined) return;
  const isItem = (item: Json): boolean =>
    isObject(item) && typeof item.text === "string" && ["boolean", "undefined"].includes(typeof item.done);
  if (!Array.isArray(items) || !items.every(isItem)) report("the checklist is malformed", "checklists");
}

/** Judges a Response to this message. */
export function judgeOutcome(report: ReportFault, message: JsonObject, id: Json | undefined, value: JsonObject): void {
  judgeResponse(report, value);
  const { type } = message;
  const { resolution, agent, in_reply_to: inReplyTo } = value;
  if (!(outcomesByType[String(type)] ?? []).includes(resolution as Json))
    report(`a ${type} cannot end as ${resolution}`);
  if (id !== undefined && inReplyTo !== id) report("the Response belongs to a different message");
  const [namedAgent, submitter] = [objectOrEmpty(agent), objectOrEmpty(message.agent)];
  if (namedAgent.id !== submitter.id || namedAgent.run_id !== submitter.run_id)
    report("the Response is for a different agent or run");
  const isKept =
    Object.hasOwn(message, "state") === Object.hasOwn(value, "state") &&
    equal((message.state ?? null) as Json, (value.state ?? null) as Json);
  if (!isKept) report("the state has changed");
  if (type === "ask") judgeAsk(report, message, value);
  else judgeTask(report, value);
}

function judgeTask(report: ReportFault, value: JsonObject): void {
  const inner = objectOrEmpty(value.response);
  if (Object.hasOwn(inner, "value")) report("a task has a value");
  if (isObject(value.response) && inner.comment === undefined && inner.checklist === undefined)
    report("the response of a task has neither comment nor checklist", "bare-task-responses");
  if (value.resolution === "expired") judgeExpired(report, value, inner);
}

/** Judges an expiry without an applied default. */
function judgeExpired(report: ReportFault, { defaulted }: JsonObject, { actor }: JsonObject): void {
  if (String(actor).startsWith("human:")) report("a person ended an expired message");
  else if (actor !== undefined && !String(actor).startsWith("system:"))
    report("the actor of the expiry is not a system", "actor-of-an-expiry");
  if (defaulted === true) report("there was no default to apply", "actor-of-an-expiry");
}

function judgeAsk(report: ReportFault, message: JsonObject, value: JsonObject): void {
  const request = objectOrEmpty(message.request);
  const defaultAnswer = (request.default_on_expire ?? null) as Json;
  const inner = objectOrEmpty(value.response);
  if (!isObject(value.response)) report("an ask ends without a response");
  const hasValue = Object.hasOwn(inner, "value");
  if (value.resolution === "answered" && hasValue) judgeAnswer(report, request, message.sensitive === true, inner);
  if (value.resolution !== "expired") return;
  if (defaultAnswer === null) {
    if (hasValue) report("an ask without a default expired with a value");
    judgeExpired(report, value, inner);
  } else {
    if (!hasValue || !equal(inner.value as Json, defaultAnswer)) report("the default is not applied");
    if (value.defaulted !== true || inner.actor !== defaultActor) report("the applied default is not marked");
  }
}

function judgeAnswer(report: ReportFault, request: JsonObject, isSensitive: boolean, inner: JsonObject): void {
  const { value = null, edited } = inner;
  const freedoms = edited === true ? ["edited-answers"] : [];
  if (request.mode !== "input") {
    const isReference = isSensitive && isSecretReference(value);
    if (typeof value !== "string") report("the choice is not a string", ...(isReference ? ["hidden-answers"] : []));
    else if (!offeredValues(request).includes(value)) report("the choice was not offered", ...freedoms);
    return;
  }
  if (!isObject(value)) {
    report("the form is not filled in");
    return;
  }
  const form = objectOrEmpty(request.schema);
  const { shown, isHiding, isUnusual } = separateReferences(form, value, isSensitive);
  if (isUnusual) report("a reference is malformed", "odd-references");
  if (isSensitive && isSecretReference(value)) {
    report("the whole answer is a reference", "hidden-answers");
    return;
  }
  if (isUnusual) return;
  if (fitsForm(isHiding ? withoutHidden(form, shown) : form, shown, false) === false)
    report("the answer does not fit the form", ...freedoms);
  else if (fitsForm(form, value, true) === false && !isHiding) report("the answer breaks a format", "formats-in-forms");
}

function isSecretReference(value: Json): boolean {
  return (
    isObject(value) &&
    Object.keys(value).join() === "secret_ref" &&
    typeof value.secret_ref === "string" &&
    value.secret_ref !== ""
  );
}

/** Splits the references off an answer. Only sensitive fields, or all fields of a sensitive message, may have references. */
function separateReferences(form: JsonObject, value: JsonObject, isSensitive: boolean) {
  const fields = objectOrEmpty(form.properties);
  let [isHiding, isUnusual] = [false, false];
  const shown: JsonObject = {};
  for (const [name, answer] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? objectOrEmpty(fields[name]) : {};
    const mayHide = isSensitive || field["x-ahcp-sensitive"] === true;
    if (mayHide && isSecretReference(answer)) isHiding = true;
    else {
      isUnusual ||=
        mayHide && isObject(answer) && Object.hasOwn(answer, "secret_ref") && fitsForm(field, answer, false) === false;
      shown[name] = answer;
    }
  }
  return { shown, isHiding, isUnusual };
}

/** The form, without the required fields that were answered by reference. */
function withoutHidden(form: JsonObject, shown: JsonObject): JsonObject {
  return { ...form, required: listOrEmpty(form.required).filter((name) => Object.hasOwn(shown, String(name))) };
}

/** Judges a message as a hub shows it. */
export function judgeStored(report: ReportFault, value: JsonObject): void {
  const { type, status, id } = value;
  if (/(^|\.)0\d/.test(String(value.ahcp_version))) report("the version has leading zeros", "leading-zeros");
  const inner = value.response;
  if (type === "notify") {
    if (status !== "delivered" || inner !== undefined) report("a notify must be delivered, without a response");
    return;
  }
  if (status !== "open" && !(outcomesByType[String(type)] ?? []).includes(status as Json))
    report(`a ${type} is never ${status}`);
  if ((status === "open") !== (inner === undefined)) report("only an ended message has a response");
  if (!isObject(inner)) return;
  if (inner.resolution !== status) report("status and resolution differ");
  judgeOutcome(report, value, id, inner);
}
