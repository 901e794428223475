import { equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { fitsForm } from "./form.ts";
import { effectiveOptions } from "./message.ts";

const byDefault = "system:default_on_expire";

const endings: Readonly<Record<string, readonly Json[]>> = {
  ask: ["answered", "declined", "cancelled", "expired"],
  task: ["completed", "dismissed", "expired"],
};

/** Judges a Response to any message. */
export function response(say: ReportFault, value: JsonObject): void {
  for (const each of [value, objectOrEmpty(value.response)]) {
    if (Object.hasOwn(each, "payload_sha256")) say("the digest is inside");
    if (Object.hasOwn(each, "signature") || Object.hasOwn(each, "signed_context"))
      say("a signature is inside", "signatures-inside");
  }
  if (/(^|\.)0\d/.test(String(value.ahcp_version))) say("a version has zeros in front", "leading-zeros");
  const { resolution, defaulted } = value;
  const inner = objectOrEmpty(value.response);
  if (defaulted === true && (resolution !== "expired" || inner.actor !== byDefault)) say("an invalid default");
  if (resolution !== "expired" && inner.actor === byDefault) say("a default without an expiry");
  const isOfAsk = ["answered", "declined", "cancelled"].includes(String(resolution));
  if (isOfAsk && !isObject(value.response)) say("an ask ends without a response");
  if (["completed", "dismissed"].includes(String(resolution)) && Object.hasOwn(inner, "value"))
    say("a task has a value");
  if (resolution === "answered" && isObject(value.response) && !Object.hasOwn(inner, "value")) say("no answer");
  if (["declined", "cancelled"].includes(String(resolution)) && Object.hasOwn(inner, "value"))
    say("a value where nothing was answered", "value-without-answer");
  if (resolution === "expired" && String(inner.actor).startsWith("human:"))
    say("nobody was there, and a person ended it");
  checklist(say, inner);
}

function checklist(say: ReportFault, inner: JsonObject): void {
  const { checklist: items } = inner;
  if (items === undefined) return;
  const isItem = (item: Json): boolean =>
    isObject(item) && typeof item.text === "string" && ["boolean", "undefined"].includes(typeof item.done);
  if (!Array.isArray(items) || !items.every(isItem)) say("the checklist is malformed", "checklists");
}

/** Judges a Response to this message. */
export function outcome(say: ReportFault, message: JsonObject, id: Json | undefined, value: JsonObject): void {
  response(say, value);
  const { type } = message;
  const { resolution, agent, in_reply_to: inReplyTo } = value;
  if (!(endings[String(type)] ?? []).includes(resolution as Json)) say(`a ${type} does not end ${resolution}`);
  if (id !== undefined && inReplyTo !== id) say("it is about another message");
  const [namedAgent, submitter] = [objectOrEmpty(agent), objectOrEmpty(message.agent)];
  if (namedAgent.id !== submitter.id || namedAgent.run_id !== submitter.run_id) say("it is for another agent");
  const isKept =
    Object.hasOwn(message, "state") === Object.hasOwn(value, "state") &&
    equal((message.state ?? null) as Json, (value.state ?? null) as Json);
  if (!isKept) say("the state is not what it was");
  if (type === "ask") judgeAsk(say, message, value);
  else judgeTask(say, value);
}

function judgeTask(say: ReportFault, value: JsonObject): void {
  const inner = objectOrEmpty(value.response);
  if (Object.hasOwn(inner, "value")) say("a task has a value");
  if (isObject(value.response) && inner.comment === undefined && inner.checklist === undefined)
    say("a task's response says nothing", "bare-task-responses");
  if (value.resolution === "expired") judgeExpired(say, value, inner);
}

/** Judges an expiry without an applied default. */
function judgeExpired(say: ReportFault, { defaulted }: JsonObject, { actor }: JsonObject): void {
  if (String(actor).startsWith("human:")) say("nobody was there, and a person ended it");
  else if (actor !== undefined && !String(actor).startsWith("system:")) say("no system ended it", "actor-of-an-expiry");
  if (defaulted === true) say("no default was there to apply", "actor-of-an-expiry");
}

function judgeAsk(say: ReportFault, message: JsonObject, value: JsonObject): void {
  const request = objectOrEmpty(message.request);
  const fallback = (request.default_on_expire ?? null) as Json;
  const inner = objectOrEmpty(value.response);
  if (!isObject(value.response)) say("an ask ends without a response");
  const hasValue = Object.hasOwn(inner, "value");
  if (value.resolution === "answered" && hasValue) answer(say, request, message.sensitive === true, inner);
  if (value.resolution !== "expired") return;
  if (fallback === null) {
    if (hasValue) say("a value without a default");
    judgeExpired(say, value, inner);
  } else {
    if (!hasValue || !equal(inner.value as Json, fallback)) say("the default is not applied");
    if (value.defaulted !== true || inner.actor !== byDefault) say("the default is not called one");
  }
}

function answer(say: ReportFault, request: JsonObject, isSensitive: boolean, inner: JsonObject): void {
  const { value = null, edited } = inner;
  const softened = edited === true ? ["edited-answers"] : [];
  if (request.mode !== "input") {
    const isReference = isSensitive && isHidden(value);
    if (typeof value !== "string") say("a choice is no text", ...(isReference ? ["hidden-answers"] : []));
    else if (!effectiveOptions(request).includes(value)) say("it was not offered", ...softened);
    return;
  }
  if (!isObject(value)) {
    say("the form is not filled in");
    return;
  }
  const form = objectOrEmpty(request.schema);
  const { open, isHiding, isOdd: isUnusual } = isRevealed(form, value, isSensitive);
  if (isUnusual) say("what is hidden is hidden otherwise", "odd-references");
  if (isSensitive && isHidden(value)) {
    say("the whole answer is hidden", "hidden-answers");
    return;
  }
  if (isUnusual) return;
  if (fitsForm(isHiding ? withoutOpen(form, open) : form, open, false) === false)
    say("the answer does not fit", ...softened);
  else if (fitsForm(form, value, true) === false && !isHiding)
    say("the answer has a value off its format", "formats-in-forms");
}

function isHidden(value: Json): boolean {
  return (
    isObject(value) &&
    Object.keys(value).join() === "secret_ref" &&
    typeof value.secret_ref === "string" &&
    value.secret_ref !== ""
  );
}

/** The answer without the values given by reference, if the field, or the whole message, is sensitive. */
function isRevealed(form: JsonObject, value: JsonObject, isSensitive: boolean) {
  const fields = objectOrEmpty(form.properties);
  let [isHiding, isUnusual] = [false, false];
  const open: JsonObject = {};
  for (const [name, each] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? objectOrEmpty(fields[name]) : {};
    const mayHide = isSensitive || field["x-ahcp-sensitive"] === true;
    if (mayHide && isHidden(each)) isHiding = true;
    else {
      isUnusual ||=
        mayHide && isObject(each) && Object.hasOwn(each, "secret_ref") && fitsForm(field, each, false) === false;
      open[name] = each;
    }
  }
  return { open, isHiding, isOdd: isUnusual };
}

/** The form without its requirements for the values given by reference. */
function withoutOpen(form: JsonObject, open: JsonObject): JsonObject {
  return { ...form, required: listOrEmpty(form.required).filter((name) => Object.hasOwn(open, String(name))) };
}

/** Judges a message as a hub shows it. */
export function judgeStored(say: ReportFault, value: JsonObject): void {
  const { type, status, id } = value;
  if (/(^|\.)0\d/.test(String(value.ahcp_version))) say("a version has zeros in front", "leading-zeros");
  const inner = value.response;
  if (type === "notify") {
    if (status !== "delivered" || inner !== undefined) say("a notify is delivered and nothing else");
    return;
  }
  if (status !== "open" && !(endings[String(type)] ?? []).includes(status as Json)) say(`a ${type} is never ${status}`);
  if ((status === "open") !== (inner === undefined)) say("what is open has no response, and what is not has one");
  if (!isObject(inner)) return;
  if (inner.resolution !== status) say("status and resolution differ");
  outcome(say, value, id, inner);
}
