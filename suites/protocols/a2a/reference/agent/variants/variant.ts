import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { ReferenceChange } from "../../../../../packs/reference/changes.ts";
import { type MistakenParty, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
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
import type { A2aTask } from "../tasks.ts";

/** The properties of a variant besides its decisions. */
export interface VariantMore {
  settings?: Partial<ServingSettings>;
}

/** An agent that breaks one rule. */
export type BrokenA2aAgent = MistakenParty & { policy: Partial<A2aPolicy> } & VariantMore;

/** Makes the broken agents of one rule. */
export function breaks(rule: string, mistakes: Mistakes<Partial<A2aPolicy>, VariantMore>): BrokenA2aAgent[] {
  return variantsOf("policy", rule, mistakes) as BrokenA2aAgent[];
}

export type CallCondition = (call: AgentCall) => boolean;

export const anyCall: CallCondition = () => true;

/** Matches calls of the named operations. */
export function isOperation(...names: OperationName[]): CallCondition {
  return ({ operation }) => names.includes(operation);
}

/** Matches calls over a binding that meet a condition. */
export function overBinding(binding: BindingName, condition: CallCondition = anyCall): CallCondition {
  return (call) => call.binding === binding && condition(call);
}

/** Skips a check. */
export function skipCheck(check: AgentCheck, condition: CallCondition = anyCall): Partial<A2aPolicy> {
  return { makesCheck: (agentCheck, call) => agentCheck !== check || !condition(call) };
}

/** Changes results. */
export function changeResults(
  condition: CallCondition,
  change: (result: JsonObject, call: AgentCall, task: A2aTask | undefined) => Json,
): Partial<A2aPolicy> {
  return {
    changeResult: (result, call, task) => (condition(call) && isObject(result) ? change(result, call, task) : result),
  };
}

/** Changes the body of answers. */
export function changeBodies(condition: CallCondition, change: ReferenceChange): Partial<A2aPolicy> {
  return {
    changeAnswer: (answer, call) =>
      condition(call) && isObject(answer.body) ? { ...answer, body: change(answer.body) } : answer,
  };
}

/** Replaces one error by another. */
export function replaceError(
  from: ErrorName,
  to: ErrorName,
  condition: (call: AgentCall, fault: CallFault) => boolean = anyCall,
): Partial<A2aPolicy> {
  return {
    changeFault: (fault, call) => (fault.error === from && condition(call, fault) ? { ...fault, error: to } : fault),
  };
}

/** Refuses requests that a correct agent serves. */
export function refuseCalls(
  error: ErrorName,
  condition: (call: AgentCall, agent: ReferenceAgent) => boolean,
  message = "not here",
): Partial<A2aPolicy> {
  return { refuseCall: (call, agent) => (condition(call, agent) ? { error, message } : undefined) };
}

/** Changes the parameters of a call before they are read. */
export function misreadParams(condition: CallCondition, change: ReferenceChange): Partial<A2aPolicy> {
  return {
    refuseCall(call) {
      if (condition(call)) call.params = change(call.params);
      return undefined;
    },
  };
}

/** Changes the items of streams. */
export function changeItems(
  condition: CallCondition,
  change: (item: JsonObject, facts: Parameters<A2aPolicy["changeItem"]>[1]) => JsonObject[],
): Partial<A2aPolicy> {
  return { changeItem: (item, stream) => (condition(stream.call) ? change(item, stream) : [item]) };
}

/** Returns the message of a call. */
export function messageIn({ params }: AgentCall): JsonObject {
  return isObject(params.message) ? params.message : {};
}

/** Returns the configuration that a call sends with its message. */
export function configurationIn({ params }: AgentCall): JsonObject {
  return isObject(params.configuration) ? params.configuration : {};
}

/** Finds the task that a call names; undefined if there is no such task. */
export function taskNamedIn(call: AgentCall, { store }: ReferenceAgent): A2aTask | undefined {
  const id = call.params.id ?? messageIn(call).taskId;
  return typeof id === "string" ? store.tasks.get(id) : undefined;
}

/** Returns the state in a stream item or a webhook call; empty if there is none. */
export function stateIn({ statusUpdate }: JsonObject): string {
  const status = isObject(statusUpdate) ? statusUpdate.status : undefined;
  return isObject(status) ? String(status.state) : "";
}

export const isStreaming: CallCondition = isOperation("SendStreamingMessage");
export const isSubscribing: CallCondition = isOperation("SubscribeToTask");
export const isSending: CallCondition = isOperation("SendMessage");
export const isGetting: CallCondition = isOperation("GetTask");
export const isListing: CallCondition = isOperation("ListTasks");
export const isCancelling: CallCondition = isOperation("CancelTask");
