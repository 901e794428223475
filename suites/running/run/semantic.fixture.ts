import { createInterface } from "node:readline";
import { type Json, protocolNamed, type Violation } from "../../../schemas/index.ts";
import { countsAsFailure } from "../../packs/validate/render.ts";
import { type DocumentValidator, validatorFor } from "../../packs/validate/validate.ts";

/** The validators, by protocol. This file makes them a target: a module through its export, a command when run as a program. */
const validators = new Map<string, Promise<DocumentValidator>>();

interface ValidationAnswer {
  valid: boolean;
  errors: Violation[];
  warnings?: Violation[];
}

async function verdictOf(protocol: string, name: string, data: Json): Promise<ValidationAnswer> {
  const protocolPack = protocolNamed(protocol);
  const validator = validators.get(protocol) ?? validatorFor(protocolPack);
  validators.set(protocol, validator);
  const document = protocolPack.profile.documents.find((each) => each.name === name);
  if (document === undefined) throw new Error(`no document ${name}`);
  const validation = (await validator)(document, data);
  const errors = validation.filter((violation) => countsAsFailure(violation));
  return errors.length > 0 ? { valid: false, errors } : { valid: true, errors: [], warnings: validation };
}

export const claims: string[] = ["format-assertion", "semantic", "lint", "records", "big-numbers"];

/** The entry of the module target. */
export default function judge(
  instance: Json,
  { protocol, document }: { protocol: string; document: string },
): Promise<ValidationAnswer> {
  return verdictOf(protocol, document, instance);
}

if (process.argv[2] === "serve") {
  let protocol = "";
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.command === "stop") break;
    if (message.command === "hello") {
      protocol = message.protocol;
      process.stdout.write(`${JSON.stringify({ ready: true, name: "validate", claims })}\n`);
    } else {
      const answer = await verdictOf(protocol, message.document, message.data);
      process.stdout.write(`${JSON.stringify({ seq: message.seq, ...answer })}\n`);
    }
  }
}
