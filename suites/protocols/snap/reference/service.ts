import {
  type Body,
  isObject,
  type Json,
  type Profile,
  pointer,
  type Reason,
  type Refusal,
  type Ruling,
  type Service,
  type ServiceContext,
  type ValidationStep,
} from "../../../../schemas/index.ts";
import { refusalSentence, refuseInvalid } from "../../../packs/reference/service.ts";

const codes = { invalidMessage: 1003, invalidPayload: 1004, signatureMissing: 2002, identityInvalid: 2005 } as const;

/**
 * An agent that checks the form of a message step by step, and answers with a fixed task. It does not verify signatures, addresses,
 * clocks or recipients, accepts any well-formed version and method, and does not store tasks.
 */
export const service: Service = {
  protocol: "snap",
  media: ["application/json"],
  routes(app, context) {
    const { profile, version } = context.protocol;
    const send = (body: Json, status = 200) => Response.json(body, { status, headers: { "SNAP-Version": version } });
    app.post(
      "/snap",
      context.intake({
        judge: (body) => judgeSteps(body, profile.steps ?? [], context),
        accepted: (value) => send(createResponse(value, version, samplePayload(value, profile))),
        refused(refusal, value) {
          const error = { code: refusal.code ?? codes.invalidMessage, message: refusalSentence(refusal) };
          const status = { invalid: 200, unreadable: 400, "media-type": 400, "too-large": 413 }[refusal.kind];
          return send(createResponse(value ?? null, version, { error }), status);
        },
      }),
    );
  },
};

/** Judges a message by the first step that fails. A step without a schema for the message passes. */
export function judgeSteps(
  { value, bytes }: Body,
  steps: readonly ValidationStep[],
  { protocol, judge }: Pick<ServiceContext, "protocol" | "judge">,
): Ruling {
  // A refusal by code, such as for a wrong signature, has a lower priority than the schemas of all steps.
  let semanticRefusal: Refusal | undefined;
  const advice: Reason[] = [];
  for (const step of steps) {
    const id = step.schema ?? step.schemas?.[(step.by ?? []).map((at) => pointer.at(at, value)).join(" ")];
    const document = protocol.profile.documents.find(({ schema }) => schema === id);
    const part = pointer.at(step.at, value);
    if (document === undefined || part === undefined) continue;
    const objections = judge(document, part, step.at === "" ? bytes : undefined);
    advice.push(...objections.advice);
    const reasons = objections.breaches.map((reason) => ({ ...reason, at: `${step.at}${reason.at ?? ""}` }));
    if (reasons.length === 0) continue;
    const refusal = refuseInvalid(reasons, step.at === "" ? envelopeCode(reasons) : codes.invalidPayload);
    if (reasons.some(({ site }) => site !== undefined)) return { refusal, advice };
    semanticRefusal ??= refusal;
  }
  return { refusal: semanticRefusal, advice };
}

/** Returns the error code for a malformed envelope. Two faults have their own codes, if there is no other fault. */
function envelopeCode(reasons: readonly Reason[]): number {
  if (reasons.every(({ at }) => at === "/from" || at === "/to")) return codes.identityInvalid;
  if (reasons.every(({ site }) => /#\/then(\/required\/0)?$/.test(site ?? ""))) return codes.signatureMissing;
  return codes.invalidMessage;
}

/** Returns the payload of a response: the first sample in the profile for the method. */
function samplePayload(value: Json, profile: Profile): Json {
  const method = pointer.at("/method", value);
  if (typeof method !== "string") return {};
  const name = `${method.replace("/", "-")}.response`;
  return profile.documents.find((document) => document.name === name)?.samples?.[0] ?? {};
}

/** Makes a response to a message. Members that depend on a missing member of the message are omitted. */
function createResponse(value: Json, version: string, payload: Json): Json {
  const request = isObject(value) ? value : {};
  const members = { id: request.id, from: request.to, to: request.from, method: request.method };
  const echoed = Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === "string"));
  return { ...echoed, version, type: "response", payload, timestamp: Math.floor(Date.now() / 1000) } as Json;
}
