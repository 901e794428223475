import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { ReferenceChange } from "../../../../../packs/reference/changes.ts";
import { type Mistaken, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
import type { ErrorName } from "../../../errors.ts";
import type {
  A2aPolicy,
  AgentCall,
  AgentCheck,
  BindingName,
  CallFault,
  OperationName,
  ReferenceAgent,
  ServingSettings,
} from "../agent.ts";
import type { KeptTask } from "../tasks.ts";

/** The properties of a variant besides its decisions. */
export interface VariantMore {
  settings?: Partial<ServingSettings>;
}

/** An agent that breaks one rule. */
export type BrokenA2aAgent = Mistaken & { policy: Partial<A2aPolicy> } & VariantMore;

/** Broken agents of one rule. */
export function breaks(rule: string, mistakes: Mistakes<Partial<A2aPolicy>, VariantMore>): BrokenA2aAgent[] {
  return variantsOf("policy", rule, mistakes) as BrokenA2aAgent[];
}

export type CallCondition = (call: AgentCall) => boolean;

export const any: CallCondition = () => true;

/** Whether a call is one of some operations. */
export function ofOperation(...names: OperationName[]): CallCondition {
  return ({ operation }) => names.includes(operation);
}

/** Whether a call came over a binding, and meets a condition. */
export function by(binding: BindingName, is: CallCondition = any): CallCondition {
  return (call) => call.binding === binding && is(call);
}

/** Skips a check. */
export function leaveOut(check: AgentCheck, is: CallCondition = any): Partial<A2aPolicy> {
  return { checks: (agentCheck, call) => agentCheck !== check || !is(call) };
}

/** Changes results. */
export function results(
  is: CallCondition,
  change: (result: JsonObject, call: AgentCall, task: KeptTask | undefined) => Json,
): Partial<A2aPolicy> {
  return { says: (result, call, task) => (is(call) && isObject(result) ? change(result, call, task) : result) };
}

/** Changes the body of answers. */
export function bodies(is: CallCondition, change: ReferenceChange): Partial<A2aPolicy> {
  return {
    answers: (answer, call) => (is(call) && isObject(answer.body) ? { ...answer, body: change(answer.body) } : answer),
  };
}

/** Replaces one error by another. */
export function faults(
  from: ErrorName,
  to: ErrorName,
  is: (call: AgentCall, fault: CallFault) => boolean = any,
): Partial<A2aPolicy> {
  return { fails: (fault, call) => (fault.error === from && is(call, fault) ? { ...fault, error: to } : fault) };
}

/** Refuses requests that a right agent serves. */
export function refusing(
  error: ErrorName,
  is: (call: AgentCall, agent: ReferenceAgent) => boolean,
  message = "not here",
): Partial<A2aPolicy> {
  return { refuses: (call, agent) => (is(call, agent) ? { error, message } : undefined) };
}

/** Changes the parameters of a call before they are read. */
export function misreading(is: CallCondition, change: ReferenceChange): Partial<A2aPolicy> {
  return {
    refuses(call) {
      if (is(call)) call.params = change(call.params);
      return undefined;
    },
  };
}

/** Changes the items of streams. */
export function items(
  is: CallCondition,
  change: (item: JsonObject, facts: Parameters<A2aPolicy["streams"]>[1]) => JsonObject[],
): Partial<A2aPolicy> {
  return { streams: (item, stream) => (is(stream.call) ? change(item, stream) : [item]) };
}

/** The message of a call. */
export function messageIn({ params }: AgentCall): JsonObject {
  return isObject(params.message) ? params.message : {};
}

/** The configuration beside the message of a call. */
export function configurationIn({ params }: AgentCall): JsonObject {
  return isObject(params.configuration) ? params.configuration : {};
}

/** The task that a call names, if there is one. */
export function namedIn(call: AgentCall, { store }: ReferenceAgent): KeptTask | undefined {
  const id = call.params.id ?? messageIn(call).taskId;
  return typeof id === "string" ? store.tasks.get(id) : undefined;
}

/** The state in an item or a webhook. */
export function toldState({ statusUpdate }: JsonObject): string {
  const status = isObject(statusUpdate) ? statusUpdate.status : undefined;
  return isObject(status) ? String(status.state) : "";
}

export const streaming: CallCondition = ofOperation("SendStreamingMessage");
export const subscribing: CallCondition = ofOperation("SubscribeToTask");
export const sending: CallCondition = ofOperation("SendMessage");
export const getting: CallCondition = ofOperation("GetTask");
export const listing: CallCondition = ofOperation("ListTasks");
export const cancelling: CallCondition = ofOperation("CancelTask");
