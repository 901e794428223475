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
  if (!decisions.knowsPolicy(id)) throw new RunError(`there is no policy ${id}`, unsupportedPolicy(id));
  const reason = decisions.reasonToDecline(document);
  if (reason !== undefined) throw new RunError(reason);
  if (scope === undefined && decisions.needsScope(memberObject(document, "memory").required === true))
    throw new RunError("the agent requires memory, but the run has no MemoryScope");
  // The registry is empty.
  const missingPolicy = objects(memberObject(document, "constraints").governance_policies).find(
    ({ required: isRequired }) => decisions.needsPolicy(isRequired !== false),
  );
  if (missingPolicy !== undefined) throw new RunError(`there is no governance policy ${missingPolicy.policy_ref}`);
  if (decisions.checks("input")) checkAgainstSchema(document, "input", input);
  const context = scope === undefined ? decisions.contextless() : decisions.context(scope);
  const spending = new Spending(memberObject(document, "constraints"), decisions, world.now);
  const policyRun = standardPolicies[id] ?? standardPolicies["agf.sequential"];
  const agentInterface = memberObject(document, "interface");
  const checkedOrder = { ...order, input: decisions.interfaceValue(agentInterface.input, input) };
  const run = { order: checkedOrder, world, decisions, spending, context, granted: decisions.initialConsents() };
  const result = await runWithinLimits(
    async () => (await policyRun?.(run, memberObject(policy, "config"))) ?? null,
    decisions,
  );
  const output = decisions.interfaceValue(agentInterface.output, result);
  if (decisions.checks("output")) checkAgainstSchema(document, "output", output);
  return output;
}

async function runWithinLimits(policyRun: () => Promise<Json>, decisions: Decisions): Promise<Json> {
  try {
    return await policyRun();
  } catch (error) {
    if (error instanceof LimitError) return decisions.outputAtLimit(error);
    throw error;
  }
}

/** A document's schema validates only one or two values, so optimizing its code is not worthwhile. */
const options = { strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } } as const;
/** Checks schemas against the metaschema. Shared, because compiling the metaschema is expensive. */
const schemaChecker = new Ajv2020(options);

function checkAgainstSchema(document: JsonObject, side: "input" | "output", value: Json): void {
  const schema = (get(memberObject(document, "interface"), side) ?? true) as boolean | Record<string, unknown>;
  schemaChecker.validateSchema(schema, true);
  const ajv = new Ajv2020({ ...options, meta: mentionsMetaschema(schema), validateSchema: false });
  const validate = ajv.compile(schema);
  if (!validate(value)) throw new RunError(`the ${side} does not match its schema: ${ajv.errorsText(validate.errors)}`);
}

/** Whether a schema may refer to the metaschema. Adding the metaschema costs more than compiling most schemas. */
function mentionsMetaschema(schema: boolean | Record<string, unknown>): boolean {
  return JSON.stringify(schema).includes("json-schema.org/");
}

/** The id if it is a standard policy: a runtime may declare that it does not support one. */
function unsupportedPolicy(id: string): string | undefined {
  return Object.hasOwn(standardPolicies, id) ? id : undefined;
}
