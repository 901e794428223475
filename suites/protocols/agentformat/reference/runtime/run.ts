import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { Decisions } from "./decisions.ts";
import { get, LimitError, memberObject, objects, RunError, type RuntimeOrder, type World } from "./order.ts";
import { standardPolicies } from "./policies.ts";
import { Spending } from "./spending.ts";

/** Runs an agent document. Throws a RunError if the run ends with an error. */
export async function runAgent(order: RuntimeOrder, world: World, decisions: Decisions): Promise<Json> {
  const { document, input, memory_scope: scope } = order;
  const policy = memberObject(document, "execution_policy");
  const id = String(policy.id);
  if (!decisions.knowsPolicy(id)) throw new RunError(`there is no policy ${id}`, unsupportedBy(id));
  const why = decisions.reasonToDecline(document);
  if (why !== undefined) throw new RunError(why);
  if (scope === undefined && decisions.needsScope(memberObject(document, "memory").required === true))
    throw new RunError("the agent needs memory, and the user gives no MemoryScope");
  // The registry is empty.
  const missing = objects(memberObject(document, "constraints").governance_policies).find(({ required: isRequired }) =>
    decisions.needsPolicy(isRequired !== false),
  );
  if (missing !== undefined) throw new RunError(`there is no governance policy ${missing.policy_ref}`);
  if (decisions.checks("input")) checkAgainstSchema(document, "input", input);
  const context = scope === undefined ? decisions.contextless() : decisions.context(scope);
  const spending = new Spending(memberObject(document, "constraints"), decisions, world.now);
  const policyRun = standardPolicies[id] ?? standardPolicies["agf.sequential"];
  const face = memberObject(document, "interface");
  const checkedOrder = { ...order, input: decisions.faced(face.input, input) };
  const running = { order: checkedOrder, world, decisions, spending, context, granted: decisions.consents() };
  const made = await limitRun(
    async () => (await policyRun?.(running, memberObject(policy, "config"))) ?? null,
    decisions,
  );
  const output = decisions.faced(face.output, made);
  if (decisions.checks("output")) checkAgainstSchema(document, "output", output);
  return output;
}

async function limitRun(policyRun: () => Promise<Json>, decisions: Decisions): Promise<Json> {
  try {
    return await policyRun();
  } catch (error) {
    if (error instanceof LimitError) return decisions.breached(error);
    throw error;
  }
}

/** Each schema is used once. */
const options = { strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } } as const;
/** Schemas do not refer to each other. Each validator is compiled only once, because compiling is most of the work. */
const meta = new Ajv2020(options);

function checkAgainstSchema(document: JsonObject, what: "input" | "output", value: Json): void {
  const schema = (get(memberObject(document, "interface"), what) ?? true) as boolean | Record<string, unknown>;
  meta.validateSchema(schema, true);
  const ajv = new Ajv2020({ ...options, meta: isMetaMeant(schema), validateSchema: false });
  const validate = ajv.compile(schema);
  if (!validate(value)) throw new RunError(`the ${what} does not fit its schema: ${ajv.errorsText(validate.errors)}`);
}

/** Whether a schema may refer to the metaschema. Adding it needs more time than compiling most schemas. */
function isMetaMeant(schema: boolean | Record<string, unknown>): boolean {
  return JSON.stringify(schema).includes("json-schema.org/");
}

/** A runtime may declare that it does not support a standard policy. */
function unsupportedBy(id: string): string | undefined {
  return Object.hasOwn(standardPolicies, id) ? id : undefined;
}
