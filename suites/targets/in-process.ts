import {
  type Capability,
  copyOf,
  type Observation,
  type Question,
  type Target,
  TargetFailure,
  TouchstoneError,
  unavailableOf,
} from "../../schemas/index.ts";
import { skipText, skipWithoutValidator } from "../base/text/skips.ts";
import { capabilitiesOfShapes, claimsFrom } from "./claims.ts";
import { mustBeOf } from "./module/document-names.ts";
import { type Context, isShape, judgeFor, judgesFrom, type ModuleResult } from "./module/judges.ts";
import { causeOfThrow } from "./module/module-lines.ts";

export interface InProcessOptions {
  /** The name in reports. */
  name?: string;
  /** The capabilities that the target claims; by default, all that its input allows. */
  claims?: readonly Capability[];
  /** Whether the validator receives the JSON text instead of a value. */
  text?: boolean;
}

/** Creates a target in this process from a validator, a Standard Schema, or an object or `Map` of these by document. Throws a target error for anything else. Use it only for trusted code: an endless call cannot be stopped, whereas a target of the kind `module` runs in a process that can be killed. */
export function inProcess(validator: unknown, options: InProcessOptions = {}): Target {
  const { name = "in process", text = false } = options;
  const claims = claimsFrom(options.claims, name);
  const judges = judgesFrom(validator);
  if (judges === undefined) {
    throw new TouchstoneError("target", "expected a validator", {
      where: name,
      hint: "give a function, a Standard Schema, or an object with one of these for each document name",
    });
  }
  let protocolContext: Pick<Context, "protocol" | "version" | "schemas"> | undefined;
  return {
    kind: "module",
    name,
    claims,
    ...(isShape(validator) ? { assumes: capabilitiesOfShapes } : {}),
    concurrency: 16,
    async open(protocol) {
      mustBeOf(protocol, judges instanceof Map ? [...judges.keys()] : undefined, name);
      protocolContext = { protocol: protocol.name, version: protocol.version, schemas: protocol.schemas };
    },
    skips({ document, data }) {
      if (judgeFor(judges, document) === undefined) return skipWithoutValidator(document.name);
      return data === undefined && !text ? skipText("it expects values, not JSON text") : undefined;
    },
    check(question, signal) {
      const judge = judgeFor(judges, question.document);
      if (judge === undefined || protocolContext === undefined)
        return unavailableOf(new TargetFailure("errored", "send", "it is not open"));
      const { name: document, schema } = question.document;
      const { yaml } = question;
      const context = { document, schema, ...protocolContext, ...(yaml === undefined ? {} : { yaml }) };
      const judgement = judge(instanceIn(question, text), context);
      return judgement instanceof Promise ? untilAbort(judgement.then(answerFrom), signal) : answerFrom(judgement);
    },
    close: async () => {},
  };
}

function answerFrom(answer: ModuleResult): Observation {
  if ("stage" in answer) {
    const because = answer.threw === undefined ? {} : causeOfThrow(answer.threw);
    return unavailableOf(new TargetFailure("errored", answer.stage, answer.message, because));
  }
  return { verdict: answer.valid ? "accepted" : "rejected", reasons: answer.reasons };
}

/** Stops waiting for a slow validator when the signal aborts: the validator itself cannot be stopped. */
function untilAbort(judgement: Promise<Observation>, signal: AbortSignal): Promise<Observation> {
  return new Promise((resolve, reject) => {
    const resolveTimedOut = (): void =>
      resolve(unavailableOf(new TargetFailure("timed-out", "answer", "no answer in time")));
    if (signal.aborted) return resolveTimedOut();
    signal.addEventListener("abort", resolveTimedOut, { once: true });
    judgement.then(resolve, reject).finally(() => signal.removeEventListener("abort", resolveTimedOut));
  });
}

/** Copies the instance of a question, because a validator may change it. */
function instanceIn({ data, text, bytes }: Question, wantsText: boolean): unknown {
  if (data === undefined) return text ?? bytes;
  return wantsText ? JSON.stringify(data) : copyOf(data);
}
